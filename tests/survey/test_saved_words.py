"""A treebank of words whose maps were saved gives what the model gives that made the maps."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from generator import analysis
from generator.analysis import Archive
from generator.attention.saved import read_maps
from generator.attention.stream import Options, observe
from generator.config import Analysis
from generator.corpora.classes import TokenClass
from generator.corpora.opening import open_corpora
from generator.corpora.pairs import Input, PairMaker
from generator.corpora.treebank import treebank_inputs
from generator.errors import CorpusError, RowError
from generator.pages.heads.atlas import Atlas
from generator.pages.models import model_page
from generator.results.manifest import ABOUT
from generator.results.store import Results
from generator.studies.all import PROCEDURES
from generator.survey.maps import survey_maps
from generator.survey.spelling import spell
from tests.attention.archives import saved
from tests.pages.reading import told
from tests.reports import Telling
from tests.studies.surveyed import survey

SENTENCES = 30
ROUNDING = 1e-6
SAYS = "Maps of a tiny encoder, made for a test."
MEASURES = [procedure for procedure in PROCEDURES if "documents" in procedure.tables]
STUDIES = [procedure for procedure in PROCEDURES if "relations" in procedure.tables or procedure.study == "words"]
OF_TWINS = ["twin", "twin_low", "twin_high"]
ALIKE = ("predictions", "relations", "relation_baselines", "relation_heads")


@pytest.fixture(scope="module")
def bank():
    (bank,) = open_corpora(["treebank"], sample=SENTENCES).all
    return bank


@pytest.fixture(scope="module")
def archive(encoder, anatomy, bank, tmp_path_factory):
    """Family -> maps of the treebank's sentences, as the tiny encoder of that family made them."""

    def make(family):
        model = encoder(family)
        inputs = treebank_inputs(bank, PairMaker(model.tokenizer, Analysis().max_tokens))
        seen = observe(model, anatomy(family), [item.input for _, item in inputs.values()], Options(keep_weights=True))
        name = model.tokenizer.convert_ids_to_tokens
        documents = {one.input.document: (one.weights, name(list(one.input.input_ids))) for one in seen}
        return saved(tmp_path_factory.mktemp(family) / "saved.npz", documents)

    return make


@pytest.mark.parametrize("family", ["bert", "roberta", "xlm-roberta"])
def test_words_of_saved_maps_give_what_the_model_gives(encoder, archive, bank, family):
    theirs = survey(encoder(family), bank, studies=STUDIES).tables
    ours = survey_maps("saved", read_maps(archive(family)), [bank], Analysis(), (*MEASURES, *STUDIES), Telling())
    assert [record.name for record in ours.corpora] == ["saved", bank.name]
    assert ours.corpora[1].counts["sentences"] == SENTENCES
    for name in ALIKE:
        without = [column for column in (*OF_TWINS, "model") if column in theirs[name]]
        pd.testing.assert_frame_equal(
            ours.tables[name].drop(columns=without), theirs[name].drop(columns=without), rtol=ROUNDING, obj=name
        )
    assert ours.tables["relation_heads"][OF_TWINS].isna().all(axis=None), "there is no twin of saved maps"


@pytest.mark.parametrize("keep", [True, False])
def test_without_text_no_sentence_is_stored(archive, tmp_path, bank, keep):
    path = archive("bert")
    folder = analysis.analyze_maps(Archive(path, "saved", (bank.name,), keep, SAYS), Analysis(), tmp_path, Telling())
    assert (folder / "examples.parquet").is_file() == (folder / "inputs.parquet").is_file() == keep
    results = Results.open(folder)
    assert ("--no-text" in results.manifest.command) is not keep
    assert results.manifest.settings[ABOUT] == SAYS
    assert f"{SAYS} 3 layers" in told(model_page(Atlas(results)).sections[0].blocks[0].parts[0])
    assert f"--corpus {bank.name}" in results.manifest.command
    assert len(results.table("relation_heads"))
    read = set(results.documents["sink.token"])
    assert set(map(int, results.manifest.vocabulary)) == read, "of the alphabet it names the sinks alone"


def test_a_treebank_of_other_sentences_or_another_kind_is_refused(archive, tmp_path):
    other = tmp_path / "other.conllu"
    other.write_text("# sent_id = unheard\n1\trock\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    with pytest.raises(
        CorpusError, match=r"named like the documents of saved in other\.conllu, found 'unheard' and no"
    ):
        analysis.analyze_maps(Archive(archive("bert"), "saved", (str(other),)), Analysis(), tmp_path, Telling())
    with pytest.raises(CorpusError, match=r"Expected treebanks for the words of .*, found articles of kind text"):
        analysis.analyze_maps(Archive(archive("bert"), "saved", ("articles",)), Analysis(), tmp_path, Telling())


def test_a_sentence_of_other_words_than_its_tokens_is_named_or_left_out_and_counted(archive, bank, tmp_path):
    path, maps = archive("bert"), read_maps(archive("bert"))
    name, given = maps.inputs[0].document, (str(tmp_path / "one.conllu"),)
    row = "1\trock\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    (tmp_path / "one.conllu").write_text(f"# sent_id = {name}\n{row}", encoding="utf-8")
    rest = replace(bank, items=tuple(item for item in bank.items if item.id != name))
    wrong = replace(bank, items=(*open_corpora(given).all[0].items, *rest.items))
    with pytest.raises(RowError, match=f"Expected the tokens of '{name}' to spell 'rock', found"):
        survey_maps("saved", maps, [wrong], Analysis(), STUDIES, Telling())
    report = Telling()
    skipping = Analysis(skip_bad=True)
    found = survey_maps("saved", maps, [wrong], skipping, (*MEASURES, *STUDIES), report)
    assert found.corpora[1].counts["bad"] == 1
    assert (
        f"Wrong parts of {bank.name} left out: 1. The first: Expected the tokens of '{name}' to spell"
        in report.notes[0]
    )
    clean = survey_maps("saved", maps, [rest], skipping, (*MEASURES, *STUDIES), Telling())
    pd.testing.assert_frame_equal(found.tables["relations"], clean.tables["relations"])
    for settings, advice in (
        (Analysis(), "or leave out all that is wrong with --skip-bad"),
        (skipping, "but 1 that is"),
    ):
        with pytest.raises(CorpusError, match=advice):
            analysis.analyze_maps(Archive(path, "saved", given), settings, tmp_path / "results", Telling())


@pytest.mark.parametrize(
    ("tokens", "words", "lengths"),
    [
        ("[CLS] tri ##fle , [SEP]", "trifle ,", [2, 1]),
        ("<s> Ġcaf Ã©s </s>", "cafés", [2]),
        ("<s> Ġby Å Ĥ Ġso </s>", "był so", [3, 1]),
        ("<s> Stra ß e </s>", "Straße", [3]),
        ("[CLS] caf ##é [SEP]", "café", [2]),
        ("<s> ▁Stra ße </s>", "Straße", [2]),
        ("[CLS] cafe [SEP]", "Café", [1]),
        ("[CLS] [UNK] stayed [SEP]", "☃☃ stayed", [1, 1]),
        ("<s> ▁ <unk> row s ▁so </s>", "grows so", [4, 1]),
        ("<s> ▁so <unk> ▁so </s>", "sox so", [2, 1]),
        ("[CLS] # # [SEP]", "##", [2]),
        ("rock", "rock", [1]),
    ],
)
def test_pieces_spell_words(tokens, words, lengths):
    tokens = tokens.split()
    kinds = {"[CLS]": TokenClass.BEGIN, "<s>": TokenClass.BEGIN}
    kinds |= dict.fromkeys(("[SEP]", "</s>"), TokenClass.SEPARATOR)
    places = tuple(range(len(tokens)))
    item = Input("d", 1, places, (0,) * len(tokens), tuple(kinds.get(token, TokenClass.OTHER) for token in tokens))
    found = spell(item, tokens, words.split())
    np.testing.assert_array_equal(found.lengths, lengths)
    assert [kinds.get(tokens[at]) for at in found.pieces] == [None] * sum(lengths)


def test_too_few_and_too_many_words_are_told():
    item = Input("d", 1, (0, 1), (0, 0), (TokenClass.OTHER, TokenClass.OTHER))
    with pytest.raises(CorpusError, match="Expected the 1 words of 'd' to be all of its text, found 'froze' after"):
        spell(item, ("sea", "froze"), ["sea"])
    with pytest.raises(CorpusError, match="Expected the tokens of 'd' to spell 'over', found 'nothing'"):
        spell(item, ("sea", "froze"), ["sea", "froze", "over"])
