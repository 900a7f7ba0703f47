"""What is undefined for an unusual model or text is no gap in its results: its pages can be made."""

from pathlib import Path

import numpy as np
import pytest

from generator.analysis import Archive, analyze, analyze_maps
from generator.config import Analysis
from generator.models.source import locate
from generator.results.store import find
from generator.studies.complete import check_complete
from generator.studies.declared import study_of
from tests.analysed import analyse_tiny
from tests.attention.archives import saved
from tests.attention.masked_lm import write_masked_lm
from tests.cli.command import fieldguide, write_corpus
from tests.encoders import write
from tests.reports import Silence, Telling
from tests.test_pipeline import write_project

SENTENCE = "# sent_id = a\n1\tThe\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tlamp\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"


SHAPES = [(1, 1), (1, 2), (2, 1), (3, 2), (4, 1)]
"""Layers and heads of masked LMs."""
PLAIN = [(1, 1), (2, 2)]
"""And of encoders without a head."""


@pytest.fixture
def text(tmp_path: Path) -> Path:
    return write_corpus(tmp_path / "twelve.txt", 12)


def test_a_model_of_one_layer_and_one_head(tmp_path: Path, text: Path) -> None:
    model = write("bert", tmp_path / "one", num_hidden_layers=1, num_attention_heads=1)
    analyse_tiny(model, tmp_path / "results", text)
    (results,) = find([tmp_path / "results"])
    check_complete(results)


def test_a_treebank_of_one_sentence(tmp_path: Path, text: Path) -> None:
    (tmp_path / "one.conllu").write_text(SENTENCE)
    analyse_tiny(write("bert", tmp_path / "bert"), tmp_path / "results", text, tmp_path / "one.conllu")
    (results,) = find([tmp_path / "results"])
    assert len(results.table("predictions")) == 1
    check_complete(results)


def test_one_bad_sentence_is_named_or_left_out_and_counted(tmp_path: Path, text: Path) -> None:
    bad = SENTENCE.replace("sent_id = a", "sent_id = b").replace("\t2\tdet", "\t3\tdet")
    (tmp_path / "t.conllu").write_text(SENTENCE + bad)
    model, results = write("bert", tmp_path / "bert"), tmp_path / "results"
    given = ("analyze", model, "--corpus", text, "--corpus", tmp_path / "t.conllu", "--results", results)
    refused = fieldguide(*given)
    assert refused.exit == 1
    assert "t.conllu, line 6, found 3; correct it, or leave out all that is wrong with --skip-bad (" in refused.err
    outcome = fieldguide(*given, "--skip-bad")
    assert outcome.exit == 0, outcome.err
    assert "Wrong parts of t.conllu left out: 1. The first: Expected a head from 0 to 2 in" in " ".join(
        outcome.err.split()
    )
    (found,) = find([results])
    assert found.manifest.counts["t.conllu"] == {"sentences": 1, "words": 2, "long": 0, "bad": 1}
    assert "--skip-bad" in found.manifest.command
    assert "up to date" in fieldguide(*given, "--skip-bad").err


def test_one_bad_sentence_of_saved_maps_is_named_or_left_out_and_counted(tmp_path: Path) -> None:
    maps = saved(tmp_path / "m.npz", {"a": (np.full((2, 3, 4, 4), 0.25), ("[CLS]", "The", "lamp", "[SEP]"))})
    bad = SENTENCE.replace("sent_id = a", "sent_id = b").replace("\t2\tdet", "\t_\tdet")
    (tmp_path / "t.conllu").write_text(SENTENCE + bad)
    results = tmp_path / "results"
    given = ("--maps", maps, "--name", "mine", "--corpus", tmp_path / "t.conllu", "--results", results)
    refused = fieldguide("analyze", *given)
    assert refused.exit == 1
    assert "line 6, found '_'; annotate the word, or leave out all that is wrong with --skip-bad" in refused.err
    outcome = fieldguide("analyze", *given, "--skip-bad")
    assert outcome.exit == 0, outcome.err
    assert "Wrong parts of t.conllu left out: 1. The first: Expected a number as head" in " ".join(outcome.err.split())
    (found,) = find([results])
    assert found.manifest.counts["t.conllu"] == {"sentences": 1, "words": 2, "long": 0, "bad": 1}
    assert found.manifest.command.endswith(" --skip-bad")
    check_complete(found)


@pytest.mark.parametrize("words", [1, 2])
def test_a_best_head_that_rests_on_nothing_is_said_to_be_undefined(tmp_path: Path, text: Path, words: int) -> None:
    rows = ["1\tlamp\t_\tNOUN\t_\t_\t0\troot\t_\t_", "2\tlit\t_\tVERB\t_\t_\t1\tdep\t_\t_"][:words]
    (tmp_path / "t.conllu").write_text("".join(f"# sent_id = {at}\n" + "\n".join(rows) + "\n\n" for at in range(8)))
    report = Telling()
    settings = Analysis(corpora=(str(text), str(tmp_path / "t.conllu")), device="cpu")
    analyze(locate(str(write("bert", tmp_path / "bert"))), settings, tmp_path / "results", report)
    said = [note for note in report.notes if note.endswith("have what is counted; its best head is undefined.")]
    assert [one.partition(" on ")[2].partition(" have")[0] for one in said] == ["t.conllu: 0 of 8 sentences"] * (
        words < 2
    )


def test_a_text_of_one_word(tmp_path: Path) -> None:
    text = tmp_path / "word.txt"
    text.write_text("a a a a\n\na a a\n\n\n" * 12)
    analyse_tiny(write("bert", tmp_path / "bert"), tmp_path / "results", text)
    (results,) = find([tmp_path / "results"])
    check_complete(results)


def test_a_comparison_of_two_families_of_one_shape(tmp_path: Path, text: Path) -> None:
    """They have as many layers and heads, but no matrices of the same names."""
    models = [write(family, tmp_path / family) for family in ("bert", "distilbert")]
    analyse_tiny(models[0], tmp_path / "results", text)
    outcome = fieldguide("compare", *models, "--corpus", text, "--results", tmp_path / "results")
    assert outcome.exit == 0, outcome.err
    (results,) = find([tmp_path / "results"])
    names = set(results.table("facts").query("study == 'compare:distilbert'")["name"])
    assert "weights.random" in names
    assert "weights.cosine" not in names
    check_complete(results)


def test_a_difference_of_two_correlations_may_be_above_one() -> None:
    (gain,) = (quantity for quantity in study_of("seeds").quantities if quantity.values_in("gain.entropy.all"))
    assert gain.limits == (-2, 2)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The settings of a project with the results of masked LMs and plain encoders of few layers, some of which read one
    document and one sentence, and of saved maps of one token.
    """
    root = tmp_path_factory.mktemp("shapes")
    config = write_project(root / "project", [])
    many, single = write_corpus(root / "twelve.txt", 12), write_corpus(root / "one.txt", 1)
    (root / "one.conllu").write_text(SENTENCE)
    for kind, make, shapes in (("masked", write_masked_lm, SHAPES), ("plain", write, PLAIN)):
        for at, (layers, heads) in enumerate(shapes):
            model = root / f"{kind}-{layers}-{heads}"
            make("bert", model, num_hidden_layers=layers, num_attention_heads=heads)
            corpora = (many,) if at % 2 else (single, root / "one.conllu")
            settings = Analysis(corpora=tuple(map(str, corpora)), device="cpu")
            analyze(locate(str(model)), settings, config.parent / "build" / "results", Silence())
    maps = saved(root / "maps.npz", {"d": (np.ones((2, 3, 1, 1)), ("[CLS]",))})
    analyze_maps(Archive(maps, "one-token"), Analysis(), config.parent / "build" / "results", Silence())
    return config


def test_no_number_is_missing_of_models_of_few_layers(project: Path) -> None:
    found = find([project.parent / "build" / "results"])
    assert len(found) == len(SHAPES) + len(PLAIN) + 1
    for results in found:
        check_complete(results)


def test_models_of_few_layers_are_published(project: Path) -> None:
    outcome = fieldguide("build", "--config", project)
    assert outcome.exit == 0, outcome.err
    models = project.parent / "site" / "models"
    assert (models / "one-token" / "index.html").is_file()
    assert all((models / f"masked-{layers}-{heads}" / "index.html").is_file() for layers, heads in SHAPES)
