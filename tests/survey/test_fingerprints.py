"""Which studies a change makes stale: those that use what was changed, and no others."""

import json
import os
import re
import shutil
from dataclasses import asdict
from pathlib import Path

import pytest

from generator.config import Analysis
from generator.corpora.files import TEXT
from generator.corpora.kind import Corpora, Corpus
from generator.corpora.kinds import KINDS
from generator.corpora.questions import QUESTIONS
from generator.corpora.treebank import TREEBANK
from generator.experiments.code import MADE_BY
from generator.home import HOME
from generator.studies.all import PROCEDURES
from generator.studies.procedure import PARTICULAR, Need
from generator.survey.code import CODE, PACKAGE, Code
from generator.survey.stale import fingerprints
from generator.topics.frames.corpus.frames import FRAMES
from generator.topics.mentions.corpus.mentions import MENTIONS
from tests.cli.command import ROOT
from tests.limits import SECONDS
from tests.ready import Ready

CORPORA = Corpora(tuple(Corpus(kind.name, kind, "1" * 64, ()) for kind in KINDS))
EVERY = {procedure.study for procedure in PROCEDURES}


def reading(*kinds):
    """The studies that read corpora of these kinds."""
    return {procedure.study for procedure in PROCEDURES if procedure.reads in kinds}


def needing(need):
    """The studies that are given what a need says."""
    return {
        procedure.study
        for procedure in PROCEDURES
        if need in {procedure.watches, *(part.need for part in procedure.parts)}
    }


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A copy of the code, which every test leaves as it was."""
    place = tmp_path_factory.mktemp("code") / "generator"
    return Path(shutil.copytree(PACKAGE, place, ignore=shutil.ignore_patterns("__pycache__", "_home")))


@pytest.fixture(scope="module")
def code(package):
    return Code(package)


@pytest.fixture(scope="module")
def before(code):
    return found(code)


@pytest.fixture
def stale(package, code, before):
    """The studies whose fingerprint changes where a text that stands once in a file is replaced."""

    def change(file, old, new):
        path, name = package / file, f"generator.{file.removesuffix('.py').replace('/', '.')}"
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} is to stand in {file} once"
        changed = Code(package)
        read = changed.module
        changed.module = lambda one: read(one) if one == name else code.module(one)  # all others are as they were
        try:
            path.write_text(text.replace(old, new), encoding="utf-8")
            return differing(before, found(changed))
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


CONSTANTS = {
    ("topics/tokens/records/tokens.py", "SAMPLE = 50"): {"roles", "separators"},  # which reads the table of roles
    ("topics/tokens/compute/types.py", "HIDDEN = 8"): {"types"},
    ("topics/tokens/records/tokens.py", "CONFIDENT = 0.8"): {"maxima"},
    ("topics/vectors/compute/occurrences.py", "CONTEXTS = 5"): {"contextuality"},
    ("topics/inputs/compute/occlusion.py", "FAR = 4"): {"occlusion"},
    ("topics/inputs/compute/changed.py", "PARTS = 6"): {"gradient", "landscape", "types"},
    ("topics/relations/records/relations.py", "TWINS = 5"): {"relations", "arrows"},  # which reads relation_heads
    ("topics/relations/records/relations.py", "FEW_WORDS = 20"): {"relations", "arrows", "words", "resting"},
    ("topics/frames/records.py", "PERCENTILE = 99"): {"frames"},
    ("topics/mentions/compute/answers.py", "LONGEST = 384"): {"answers"},
    ("numbers/resampling.py", "GROUPS = 100"): {"landscape", "norms"},
    ("corpora/treebank.py", "DIGITS = 9"): reading(TREEBANK, MENTIONS, FRAMES),
    ("corpora/pairs.py", "SEGMENTS = 2"): EVERY,
}
"""A constant in a file -> the studies that use it."""


@pytest.mark.parametrize(("file", "constant"), CONSTANTS)
def test_a_constant_makes_exactly_the_studies_stale_that_use_it(stale, file, constant):
    assert stale(file, constant, f"{constant}1") == CONSTANTS[file, constant]


@pytest.mark.parametrize(
    ("file", "old", "new", "kinds"),
    [
        ("topics/mentions/corpus/gap.py", '"TRUE": True', '"TRUE": False', [MENTIONS]),
        ("topics/mentions/corpus/entities.py", 'contents(path, "a treebank")', "path.read_bytes()", [MENTIONS]),
        ("topics/mentions/corpus/mentions.py", "== GAP else", "!= GAP else", [MENTIONS]),
        ("topics/frames/corpus/framenet.py", 'CORE = ("Core", ', "CORE = (", [FRAMES]),
        ("topics/frames/corpus/propositions.py", 'TARGET = ("V", ', "TARGET = (", [FRAMES]),
        ("corpora/questions.py", 'path.suffix == ".json":', 'path.suffix != ".json":', [QUESTIONS]),
        ("corpora/files.py", '(".txt", ', "(", [TEXT, QUESTIONS]),
        ("corpora/formats/conllu.py", '("conllu", ', "(", [TREEBANK, MENTIONS, FRAMES]),
        (
            "corpora/formats/raw.py",
            "return unpacked(path)",
            "return path.read_bytes()",
            [TREEBANK, MENTIONS, FRAMES, QUESTIONS],
        ),
    ],
)
def test_what_reads_files_counts_for_studies_of_its_kind_and_of_kinds_that_are_read_with_it(
    stale, file, old, new, kinds
):
    assert stale(file, old, new) == reading(*kinds)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("corpora/catalogue.py", "CATALOGUE = ", "CATALOGUE = () + "),
        ("corpora/opening.py", "def open_corpora(", "def open_no_corpora("),
        ("corpora/kinds.py", "KINDS: tuple[Kind, ...] = ", "KINDS: tuple[Kind, ...] = () + "),
        ("corpora/tasks.py", "lines == [", "lines != ["),
        ("survey/room.py", "FLOAT = 8", "FLOAT = 4"),
        ("topics/tokens/records/tokens.py", "Size of the vocabulary", "Another title"),
        ("attention/hook.py", '"""The one hook', '"""One hook'),
    ],
)
def test_what_decides_no_number_makes_nothing_stale(stale, file, old, new):
    assert stale(file, old, new) == set()


def test_a_head_counts_for_those_who_are_given_it(stale):
    asked = "if not _names_a_head(source):"
    assert stale("models/answering.py", asked, f"{asked[:-1]} is None:") == needing(Need.ANSWERS) == {"answers"}
    asked = "if not _may_have_a_head(source):"
    masked = stale("models/masked_lm.py", asked, f"{asked[:-1]} is None:")
    assert masked == needing(Need.MASKED_LM) | {"types", "manipulations"}


def test_an_untrained_twin_counts_for_those_who_compare_with_one(stale):
    assert stale("models/twin.py", "np.random.SeedSequence([seed, draw])", "np.random.SeedSequence([draw, seed])") == {
        *("landscape", "relations", "arrows", "resting", "probe")
    }


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("survey/engine.py", "keep_weights=True", "keep_weights=False"),
        ("survey/passes.py", "watcher.add(seen)", "watcher.add(None)"),
        ("attention/hook.py", "AttentionInterface.register(NAME, _attention)", ""),
        ("models/load.py", "copy.deepcopy", "copy.copy"),
    ],
)
def test_what_shows_corpora_to_a_model_counts_for_all(stale, file, old, new):
    assert stale(file, old, new) == EVERY


RENAMED = (
    *("attention.softmax", "attention.sums.rows", "corpora.pairs", "corpora.formats.raw", "models.twin"),
    *("numbers.resampling", "measures.breadth", "studies.halves", "topics.tokens.compute.neighbours", "survey.lanes"),
)


def printed():
    """The fingerprints of all studies, and the checksums of what makes experiments, by the code that runs."""
    return [found(CODE), {name: CODE.checksum([root]) for name, root in MADE_BY.items()}]


def test_no_name_of_a_module_counts(tmp_path):
    """Ten modules are moved to a folder of their own, and whoever imports them from there is told so."""
    root = tmp_path / "copy"
    copy = Path(shutil.copytree(PACKAGE, root / "generator", ignore=shutil.ignore_patterns("_home")))
    for name in ("templates", "data/claims", "data/published", "data/corpora", "tests"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).symlink_to((ROOT if name == "tests" else HOME) / name)
    (copy / "moved").mkdir()
    (copy / "moved" / "__init__.py").write_text('"""Modules under another name."""\n', encoding="utf-8")
    for name in RENAMED:
        (copy / f"{name.replace('.', '/')}.py").rename(copy / "moved" / f"{name.replace('.', '_')}.py")
    for path in copy.rglob("*.py"):
        before = text = path.read_text(encoding="utf-8")
        for name in RENAMED:
            other = name.replace(".", "_")
            above, _, last = f"generator.{name}".rpartition(".")
            text = re.sub(rf"\bgenerator\.{re.escape(name)}\b", f"generator.moved.{other}", text)
            text = _imported_from(text, above, last, other)
        if text != before:
            path.write_text(text, encoding="utf-8")
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    with Ready(own | {"PYTHONPATH": str(root)}, root) as ready:
        moved = ready.run(tmp_path, "tests.survey.test_fingerprints")
        assert moved.wait(SECONDS) == 0, moved.err
    assert json.loads(moved.out) == [str(copy), *printed()]


def _imported_from(text, above, last, other):
    """A text that imports a module from where it lies now, under the name that it had."""

    def divided(line):
        names = [one for one in line[2].strip("()\n ").replace("\n", " ").split(",") if one.strip()]
        kept = [name for name in names if name.strip() != last]
        if len(kept) == len(names):
            return line[0]
        left = f"{line[1]}from {above} import ({','.join(kept)})\n" if kept else ""
        return f"{left}{line[1]}from generator.moved import {other} as {last}\n"

    return re.sub(rf"^([ ]*)from {re.escape(above)} import (\([^)]*\)\n|[^(\n]*\n)", divided, text, flags=re.MULTILINE)


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
    assert {name for procedure in PROCEDURES for name in procedure.settings} == set(PARTICULAR)


if __name__ == "__main__":
    print(json.dumps([str(PACKAGE), *printed()]))
