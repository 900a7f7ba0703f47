"""The engine: every study is a record, one pass feeds all that watch it, and rows come apart and together again."""

import ast
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

import generator.survey
from generator.config import Analysis
from generator.corpora import files
from generator.corpora.kind import Corpora, Corpus, Form
from generator.corpora.opening import open_corpora
from generator.numbers.writing import listed
from generator.results.tables import TABLES
from generator.studies.all import PROCEDURES
from generator.studies.procedure import Need
from generator.survey.engine import Reused, Surveyor
from generator.survey.inputs import pair_maker
from generator.survey.rows import SHARED, split
from generator.survey.task import LEAST, OF_WORDS
from generator.topics.distances.compute.study import TWINS
from tests.attention.observations import DOCUMENTS
from tests.reports import Telling
from tests.studies.surveyed import of_study, survey

SEED = 1
OF_CURVES = {"curves", "rises"}
"""Tables of experiments."""
TEXT = Corpus("texts", files.TEXT, "1" * 64, DOCUMENTS[1:], "en")


@pytest.fixture(scope="module")
def corpora():
    (bank,) = open_corpora(["treebank"], sample=12).all
    return TEXT, replace(TEXT, name="more", items=DOCUMENTS[2:5]), bank


@pytest.fixture(scope="module")
def whole(encoder, corpora):
    return survey(encoder("bert"), *corpora, seed=SEED)


def test_every_table_of_an_analysis_is_shared_or_belongs_to_one_study():
    own = Counter(table for procedure in PROCEDURES for table in procedure.tables)
    assert set(own) | set(SHARED) | OF_CURVES == set(TABLES)
    assert set(own.values()) == {1}
    assert len({procedure.study for procedure in PROCEDURES}) == len(PROCEDURES)


def test_a_study_stands_after_those_whose_tables_it_reads():
    names = [one.study for one in PROCEDURES]
    for procedure in PROCEDURES:
        assert all(names.index(before) < names.index(procedure.study) for before in procedure.after)


def test_the_engine_knows_no_study_by_name():
    names = {procedure.study for procedure in PROCEDURES}
    for path in Path(generator.survey.__file__).parent.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert names.isdisjoint(node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)), path.name
        imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        studies = {name for name in imported if name.startswith("generator.studies")}
        assert studies <= {"generator.studies.procedure"}, path.name


def test_rows_carry_the_name_of_their_study_and_stand_in_the_order_of_corpora_and_studies(whole, corpora):
    place = {procedure.study: at for at, procedure in enumerate(PROCEDURES)}
    order = [corpus.name for corpus in corpora]
    for name in SHARED:
        keys = [(order.index(row.corpus), place[row.study]) for row in whole.tables[name].itertuples()]
        assert keys == sorted(keys)


@pytest.mark.parametrize("study", ["measures", "sinks", "landscape", "relations", "features", "usability"])
def test_one_study_gives_alone_what_it_gives_among_all(encoder, corpora, whole, study):
    (after,) = (procedure.after for procedure in PROCEDURES if procedure.study == study)
    chosen = [procedure for procedure in PROCEDURES if procedure.study in (study, *after)]
    found = survey(encoder("bert"), *corpora, studies=chosen, seed=SEED).tables
    for name in found:
        if name in SHARED:
            own, among_all = (of_study(tables, study, name) for tables in (found, whole.tables))
            pd.testing.assert_frame_equal(own, among_all, check_dtype=False)
        else:
            pd.testing.assert_frame_equal(found[name], whole.tables[name])


@pytest.mark.parametrize("family", ["bert", "roberta"])
def test_the_stored_parts_of_inputs_are_the_split_by_which_they_were_measured(encoder, family):
    """Uniform attention stays in a segment as often as its tokens do, whether or not the model is told of segments."""
    found = survey(
        encoder(family), TEXT, studies=[procedure for procedure in PROCEDURES if procedure.study == "measures"]
    ).tables
    inputs = found["inputs"]
    assert any(map(any, inputs["segment_ids"])) == encoder(family).segments
    stays = [sum(row.count(one) ** 2 for one in set(row)) / len(row) ** 2 for row in map(list, inputs["parts"])]
    expected = inputs.assign(stays=stays).groupby("document")["stays"].mean()
    assert expected.max() < 0.99, "one part alone would pass too"
    same = found["uniform"].set_index("document")["attention.same_segment"]
    pd.testing.assert_series_equal(same.sort_index(), expected, check_names=False)


@pytest.mark.parametrize("missing", ["roles", "landscape", "trees", "antecedents"])
def test_what_is_kept_is_not_made_again_and_tables_are_as_if_all_were(encoder, anatomy, corpora, whole, missing):
    """Reused rows are marked, so that what was made again can be told from them."""
    others = [procedure for procedure in PROCEDURES if procedure.study != missing]
    rows = split(whole.tables, others, [corpus.name for corpus in corpora])
    kept = Reused({key: _marked(tables) for key, tables in rows.items()}, whole.corpora)
    report = Telling()
    surveyor = Surveyor(encoder("bert"), anatomy("bert"), Analysis(seed=SEED), report)
    again = surveyor.survey(Corpora(corpora), PROCEDURES, kept)
    assert again.corpora == whole.corpora
    (kind,) = (procedure.reads for procedure in PROCEDURES if procedure.study == missing)
    some = [corpus for corpus in corpora if corpus.kind == kind]
    cost = OF_WORDS if kind.form is Form.WORDS else 1
    read = [_tokens(encoder("bert"), one) for one in some]
    twins = [0] * len(read)
    if missing == "landscape":
        inputs = whole.tables["inputs"].query("part == 1")
        twins = [TWINS * inputs.loc[inputs["corpus"] == corpus.name, "input_ids"].map(len).sum() for corpus in some]
        read = [tokens + more for tokens, more in zip(read, twins, strict=True)]
    totals = [cost * (tokens + max(tokens // LEAST, 1)) for tokens in read]
    title = f"{encoder('bert').id} on {listed([one.name for one in some])}"
    assert {name: total for name, (total, _) in report.bars.items()} == ({title: sum(totals)} if read else {})
    before = [sum(totals[:at]) for at in range(len(read))]
    # A twin that is held reads the corpora to come, too.
    ahead = [sum(twins[at + 1 :]) for at in range(len(read))]
    stood = [done + cost * (tokens + more) for done, tokens, more in zip(before, read, ahead, strict=True)]
    assert set(stood) <= set(report.stood(title) if read else [])
    for name, table in again.tables.items():
        made = table[table["study"] == missing] if name in SHARED else table[[name in _own(missing)] * len(table)]
        fresh = whole.tables[name].loc[made.index]
        pd.testing.assert_frame_equal(made, fresh, check_dtype=False)
        assert len(table) == len(whole.tables[name])


def test_what_cannot_be_made_is_told(encoder, corpora):
    report = Telling()
    survey(encoder("bert"), *corpora, seed=SEED, report=report)
    for corpus in (TEXT, corpora[1]):
        (note,) = (one for one in report.notes if f"left out on {corpus.name}:" in one)
        assert note.startswith(f"{encoder('bert').id} has no masked-LM head; ")
        of_kind = (procedure for procedure in PROCEDURES if procedure.reads == corpus.kind)
        named = [one.study for one in of_kind if one.needs == {Need.MASKED_LM}]
        assert note.endswith(f": {', '.join(named)}.")


def test_without_whole_maps_measures_alone_are_made(encoder, corpora, whole):
    chosen = [procedure for procedure in PROCEDURES if procedure.watches is Need.SUMS]
    found = survey(encoder("bert"), *corpora, studies=chosen, seed=SEED).tables
    assert set(found) == _own("measures")
    for name, table in found.items():
        pd.testing.assert_frame_equal(table, whole.tables[name])


def _tokens(encoder, corpus):
    """How many tokens the model reads of a corpus."""
    inputs = corpus.kind.inputs(corpus, pair_maker(encoder, Analysis(seed=SEED), Telling()))
    return sum(map(len, inputs if corpus.kind == files.TEXT else [item.input for _, item in inputs.values()]))


def _own(study):
    return {table for procedure in PROCEDURES for table in procedure.tables if procedure.study == study}


def _marked(tables):
    return {name: table.assign(**{"value": -1.0} if name in SHARED else {}) for name, table in tables.items()}
