"""Which studies a change makes stale: those that use what was changed, and no others."""

import shutil
from dataclasses import asdict
from pathlib import Path

import pytest

from generator.config import Analysis
from generator.corpora.files import TEXT
from generator.corpora.frames import FRAMES
from generator.corpora.kind import Corpora, Corpus
from generator.corpora.kinds import KINDS
from generator.corpora.mentions import MENTIONS
from generator.corpora.questions import QUESTIONS
from generator.corpora.treebank import TREEBANK
from generator.studies.all import PROCEDURES
from generator.studies.procedure import PARTICULAR, Need
from generator.survey.code import PACKAGE, Code
from generator.survey.stale import fingerprints

CORPORA = Corpora(tuple(Corpus(kind.name, kind, "1" * 64, ()) for kind in KINDS))
EVERY = {one.study for one in PROCEDURES}


def reading(*kinds):
    """The studies that read corpora of these kinds."""
    return {one.study for one in PROCEDURES if one.reads in kinds}


def needing(need):
    """The studies that are given what a need says."""
    return {one.study for one in PROCEDURES if need in {one.watches, *(part.need for part in one.parts)}}


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A copy of the code, which every test leaves as it was."""
    place = tmp_path_factory.mktemp("code") / "generator"
    return Path(shutil.copytree(PACKAGE, place, ignore=shutil.ignore_patterns("__pycache__", "_home")))


@pytest.fixture(scope="module")
def before(package):
    return found(Code(package))


@pytest.fixture
def stale(package, before):
    """Studies whose fingerprint another line of code in a file changes."""

    def change(file):
        path = package / file
        text = path.read_text(encoding="utf-8")
        try:
            path.write_text(text + "\nOTHER = 1\n", encoding="utf-8")
            return differing(before, found(Code(package)))
        finally:
            path.write_text(text, encoding="utf-8")

    return change


def found(code, **settings):
    """The fingerprints of all studies where a corpus of each kind is read."""
    return fingerprints(PROCEDURES, ["weights"], CORPORA, asdict(Analysis(**settings)), code)


def differing(one, other):
    """The studies whose fingerprints differ."""
    assert one.keys() == other.keys() == EVERY
    return {study for study in one if one[study] != other[study]}


@pytest.mark.parametrize(
    ("file", "kinds"),
    [
        ("formats/gap.py", [MENTIONS]),
        ("formats/entities.py", [MENTIONS]),
        ("mentions.py", [MENTIONS]),
        ("formats/framenet.py", [FRAMES]),
        ("formats/propositions.py", [FRAMES]),
        ("questions.py", [QUESTIONS]),
        ("treebank.py", [TREEBANK, MENTIONS, FRAMES]),
        ("files.py", [TEXT, QUESTIONS]),
        ("formats/raw.py", [TEXT, TREEBANK, MENTIONS, FRAMES, QUESTIONS]),
    ],
)
def test_what_reads_files_counts_for_studies_of_its_kind_and_of_kinds_that_are_read_with_it(stale, file, kinds):
    assert stale(f"corpora/{file}") == reading(*kinds)


@pytest.mark.parametrize("file", ["catalogue.py", "languages.py", "opening.py", "kinds.py", "tasks.py"])
def test_which_corpora_and_kinds_are_known_by_name_makes_nothing_stale(stale, file):
    assert stale(f"corpora/{file}") == set()


def test_a_head_counts_for_those_who_are_given_it_or_import_it(stale):
    assert stale("models/answering.py") == needing(Need.ANSWERS) == {"answers"}
    masked = stale("models/masked_lm.py")
    assert masked == needing(Need.MASKED_LM) | {"types", "manipulations", "usability"}
    assert masked < EVERY


def test_an_untrained_twin_counts_for_those_who_compare_with_one_or_import_one_who_does(stale):
    assert stale("models/twin.py") == {"landscape", "relations", "probe", "words"}


@pytest.mark.parametrize("file", ["survey/engine.py", "survey/passes.py", "corpora/kind.py", "corpora/pairs.py"])
def test_what_shows_corpora_to_a_model_counts_for_all(stale, file):
    assert stale(file) == EVERY


def test_the_code_of_a_study_counts_for_it_alone(stale):
    assert stale("studies/tokens/sinks.py") == {"sinks"}
    assert stale("studies/mentions/answers.py") == {"answers"}


def test_a_setting_counts_for_those_who_name_it_and_any_other_for_all():
    code = Code()
    start = found(code)
    assert differing(start, found(code, word_vectors="other.txt")) == {"probe"}
    assert differing(start, found(code, studies=False)) == set()
    for other in (
        {"seed": 7},
        {"documents": 3},
        {"max_tokens": 64},
        {"segment_ids": False},
        {"entropy_smoothing": 0.1},
    ):
        assert differing(start, found(code, **other)) == EVERY
    assert {name for one in PROCEDURES for name in one.settings} == set(PARTICULAR)
