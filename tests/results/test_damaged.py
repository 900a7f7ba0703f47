"""No damage to stored results is read as a number: single bits, whole tables, and manifests that say what cannot be."""

import hashlib
import os
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from generator.claims.evidence.evidence import Evidence
from generator.corpora.treebank import TREEBANK
from generator.errors import ResultsError
from generator.home import DATA
from generator.numbers.quantity import Quantity
from generator.results.files import folders
from generator.results.manifest import FILE, Manifest
from generator.results.ranges import out_of_range
from generator.results.store import Results, find
from generator.results.tables import KEPT_OUT, REQUIRED, TABLES
from generator.results.writing import write
from tests.results.altered import altered, with_table
from tests.results.samples import corpus_of, manifest, tables

FLIPS = 40
SELF = "Expected Attention to the token itself (attention.self) to be 0 to 1 in {path}"
SPLIT = "Expected Words that the tokenizer splits (split) to be 0 to 1 in {path}"
EACH = "Expected the same number of rows for each of"
NAMES = [FILE, *(f"{name}.parquet" for name in TABLES)]
Change = Callable[[pd.DataFrame], pd.DataFrame]


def test_checksums_that_a_build_knows_hold_while_size_and_time_stay_and_no_rows_are_read(folder: Path):
    path = (folder / "heads.parquet").absolute()
    found, content = path.stat(), path.read_bytes()
    known = {str(path): (found.st_size, found.st_mtime_ns, hashlib.sha256(content).hexdigest())}
    path.write_bytes(bytes(len(content)))
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))
    with pytest.raises(ResultsError, match=r"heads\.parquet as it was written, found other contents"):
        Results.open(folder, known).table("heads")
    for change in (lambda: os.utime(path), lambda: path.write_bytes(content[:-1])):
        change()
        with pytest.raises(ResultsError, match="as it was written, found other contents"):
            Results.open(folder, known)


@pytest.mark.parametrize("seed", range(FLIPS))
def test_a_flipped_bit_is_never_read_as_a_number(folder: Path, seed: int):
    draw = random.Random(seed)
    path = folder / NAMES[seed % len(NAMES)]
    content = bytearray(path.read_bytes())
    content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
    path.write_bytes(content)
    with pytest.raises(ResultsError, match=r"^Expected ") as refusal:
        Results.open(folder)
    assert str(folder) in str(refusal.value)
    problems: list[str] = []
    assert find([folder.parent], problems) == []
    assert problems == [str(refusal.value)]


@pytest.mark.parametrize("name", TABLES)
def test_a_bit_that_flips_once_a_table_was_opened_is_never_read_as_a_number(folder: Path, name: str):
    draw, path = random.Random(name), folder / f"{name}.parquet"
    sound = path.read_bytes()
    for _ in range(10):
        results, content = Results.open(folder), bytearray(sound)
        content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
        path.write_bytes(content)
        with pytest.raises(ResultsError, match=rf"{name}\.parquet as it was written, found other contents"):
            results.table(name)
        if name not in KEPT_OUT:
            with pytest.raises(ResultsError, match="as it was written"):
                list(folders(results))
        path.write_bytes(sound)


def test_columns_of_documents_are_read_from_the_file_that_was_written(folder: Path):
    """They say which measures the other tables lack."""
    results = Results.open(folder)
    shutil.copy(folder / "facts.parquet", folder / "documents.parquet")
    with pytest.raises(ResultsError, match=r"documents\.parquet as it was written"):
        results.table("heads")


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gives results of another model."""
    return write(tmp_path_factory.mktemp("there"), manifest("other"), tables(seed=1))


@pytest.mark.parametrize("name", TABLES)
def test_a_table_of_another_model_is_not_as_it_was_written(folder: Path, other: Path, name: str):
    shutil.copy(other / f"{name}.parquet", folder)
    sentence = f"Expected {folder / name}.parquet as it was written, found other contents; delete the folder"
    with pytest.raises(ResultsError, match=re.escape(sentence)):
        Results.open(folder)


def test_a_table_that_nobody_wrote_is_refused(folder: Path, tmp_path: Path):
    fewer = write(tmp_path / "there", manifest(), {name: tables()[name] for name in REQUIRED})
    shutil.copy(folder / "facts.parquet", fewer)
    with pytest.raises(ResultsError, match=r"facts\.parquet as it was written, found other contents"):
        Results.open(fewer)


@pytest.mark.parametrize(
    ("name", "change", "says"),
    [
        ("heads", lambda table: table.assign(model="Other"), "Expected rows of Tiny in {path}, found rows of Other;"),
        ("facts", lambda table: table.assign(model="Other"), "Expected rows of Tiny in {path}, found rows of Other;"),
        *((name, lambda table: table[:0], "Expected rows in {path}, found none;") for name in REQUIRED),
        ("documents", lambda table: table[:5], f"{EACH} 8 heads in {{path}}, found 5 heads with 1 to 1 rows;"),
        ("heads", lambda table: table[1:], f"{EACH} 8 heads in {{path}}, found 7 heads with 1 to 1 rows;"),
        ("layers", lambda table: table[1:], f"{EACH} 2 layers in {{path}}, found 2 layers with 3 to 4 rows;"),
        (
            "roles",
            lambda table: table.assign(layer=3),
            "Expected layer to be 1 to 2 in {path}, found 3 in column layer, row 1;",
        ),
        (
            "facts",
            lambda table: table.assign(layer=-1),
            "Expected layer to be 0 to 2 in {path}, found -1 in column layer, row 1;",
        ),
        (
            "head_facts",
            lambda table: table.assign(layer=0),
            "Expected layer to be 1 to 2 in {path}, found 0 in column layer, row 1;",
        ),
        (
            "head_facts",
            lambda table: table.assign(head=5),
            "Expected head to be 1 to 4 in {path}, found 5 in column head, row 1;",
        ),
        (
            "facts",
            lambda table: table.assign(study="words", name="split", high=[0.5, *[1.25] * 7]),
            f"{SPLIT}, found 1.25 in column high, row 2;",
        ),
        (
            "facts",
            lambda table: table.assign(low=0.5, high=0.25),
            "Expected low to be at most high in {path}, found 0.5 and 0.25 in row 1;",
        ),
        (
            "relation_heads",
            lambda table: table.assign(twin_low=0.5, twin_high=0.25),
            "Expected twin_low to be at most twin_high in {path}, found 0.5 and 0.25 in row 1;",
        ),
        (
            "relations",
            lambda table: table.assign(correct=8, n=7),
            "Expected Words found (correct) to be 0 to n in {path}, found 8 in column correct, row 1;",
        ),
        (
            "predictions",
            lambda table: table.assign(gold=[[-1, 0]] * 8, predicted=[[-1, 1], *[[2, -1]] * 7]),
            "Expected predicted to be -1 to the last of gold in {path}, found 2 in column predicted, row 2;",
        ),
        (
            "facts",
            lambda table: table.assign(study=["words", *[None] * 7]),
            "Expected every row to have study in {path}, found none in row 2;",
        ),
        (
            "heads",
            lambda table: table.assign(value=1.5),
            f"{SELF}, found 1.5 in column value, row 1;",
        ),
        (
            "layers",
            lambda table: table.assign(value=np.inf),
            f"{SELF}, found inf in column value, row 1;",
        ),
        (
            "documents",
            lambda table: table.assign(**{"entropy.all": -0.1}),
            "Expected Entropy (entropy.all) to be 0 to ln n in {path}, found -0.1 in column entropy.all, row 1;",
        ),
        (
            "heads",
            lambda table: table.assign(measure="attention.elf"),
            "Expected measures that this program knows in {path}, found attention.elf;",
        ),
    ],
)
def test_rows_that_cannot_be_are_refused_though_their_checksum_is_right(
    folder: Path, name: str, change: Change, says: str
):
    results = Results.open(with_table(folder, name, change))
    sentence = says.format(path=folder / f"{name}.parquet")
    with pytest.raises(ResultsError, match=f"^{re.escape(sentence)}"):
        results.table(name)


@pytest.mark.parametrize("fact", ["layers", "heads"])
@pytest.mark.parametrize("number", [-4, 0, "four", None])
def test_a_manifest_of_no_layers_or_heads_is_refused(folder: Path, fact: str, number: object):
    with pytest.raises(ResultsError, match=f"Expected '{fact}' in {folder / FILE} to be right, found: Input should be"):
        Results.open(altered(folder, **{fact: number}))


def test_layers_and_heads_of_another_model_are_refused_by_the_tables(folder: Path):
    with pytest.raises(ResultsError, match=r"Expected layer to be 1 to 1 in .*heads.parquet, found 2 in column layer"):
        Results.open(altered(folder, layers=1)).table("heads")


def test_a_manifest_that_was_edited_by_hand_is_refused(folder: Path):
    path = folder / FILE
    path.write_text(path.read_text().replace('"documents": 3', '"documents": 9'))
    with pytest.raises(ResultsError, match=re.escape(f"Expected {path} as it was written, found other contents;")):
        Manifest.read(folder)


def test_a_damaged_experiment_costs_its_model_nothing_else(folder: Path):
    treebank = corpus_of(TREEBANK, "more", words=9)
    record = manifest(experiment="disable.rte", corpora=(treebank,))
    more = write(folder.parent, record, {"facts": tables()["facts"]})
    (more / "facts.parquet").write_bytes(b"x")
    problems: list[str] = []
    (found,) = find([folder.parent], problems)
    assert (found.folder, found.more) == (folder, ())
    assert len(problems) == 1
    assert str(more / "facts.parquet") in problems[0]


def test_a_number_of_a_study_beyond_the_range_of_its_record_is_refused(folder: Path):
    facts = tables()["facts"].assign(study="words", name="split", value=1.25)
    evidence = Evidence(Results.open(with_table(folder, "facts", lambda _: facts)))
    with pytest.raises(
        ResultsError, match=r"\(split\) to be 0 to 1 in .*facts.parquet, found 1.25 in column value, row 1;"
    ):
        evidence.fact("words", "split")


def test_results_that_come_with_the_program_are_whole():
    for path in (file.parent for file in sorted((DATA / "results").glob("*/manifest.json"))):
        results = Results.open(path)
        assert results.manifest.tables, path
        for name in results.manifest.tables.keys() - set(KEPT_OUT):
            assert len(results.table(name)), (path, name)


@pytest.mark.parametrize(
    ("text", "sound", "beyond"),
    [
        ("0 to 1", (0, 1, 1 + 1e-7, np.nan), (-0.1, 1.1, np.inf)),
        ("-1 to 1", (-1, 1), (-1.1, 1.1)),
        ("0 to ln 2", (0, np.log(2)), (0.7,)),
        ("0 to ln n", (0, 9), (-1,)),
        ("0 and more", (0, 9), (-1, np.inf)),
        ("0 and less", (0, -9), (1,)),
        ("1 and up", (1, 9), (0.5,)),
        ("1/n to 1", (0, 1), (1.5,)),
        ("0 to the number of heads", (0, 99), (-1,)),
        ("-8 to 8", (-8, 8), (-9, 9)),
        ("", (-9, 9), (np.inf, -np.inf)),
    ],
)
def test_ranges_are_read_as_they_are_written(text: str, sound: tuple[float, ...], beyond: tuple[float, ...]):
    quantity = Quantity(name="x", title="X", unit="share", range=text, definition="")
    assert [number for number in sound if out_of_range(np.array([number]), quantity)] == []
    assert [number for number in beyond if not out_of_range(np.array([number]), quantity)] == []


@pytest.mark.parametrize(("value", "found"), [(1.000002, "1.000002"), (-0.000002, "-0.000002"), (30522.0, "30,522")])
def test_a_number_out_of_range_does_not_read_as_if_it_lay_inside(value: float, found: str):
    quantity = Quantity(name="x", title="X", unit="share", range="0 to 1", definition="")
    wrong = out_of_range(np.array([0.5, value]), quantity)
    assert wrong is not None
    assert wrong.found == found
