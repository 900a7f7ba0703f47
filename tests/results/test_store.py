"""What is written is what is read, the same input gives the same bytes, and a folder that is not ours is refused."""

import json
import re
from dataclasses import replace

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from generator.corpora.files import TEXT
from generator.errors import ResultsError
from generator.home import DATA
from generator.results.manifest import FILE, Manifest
from generator.results.store import Results, find
from generator.results.tables import FORMAT, KEPT_OUT, REQUIRED, TABLES
from generator.results.writing import write
from tests.results.altered import altered, resealed
from tests.results.samples import ROWS, contents, manifest, tables


@pytest.mark.parametrize("name", REQUIRED)
def test_a_table_is_read_as_it_was_written(folder, name):
    pd.testing.assert_frame_equal(
        _plain(getattr(Results.open(folder), name)), _plain(tables()[name]), check_column_type=False
    )


@pytest.mark.parametrize("name", TABLES)
def test_a_file_has_exactly_the_declared_columns_types_and_rows(folder, name):
    assert pq.read_schema(folder / f"{name}.parquet").equals(TABLES[name])
    assert pq.read_metadata(folder / f"{name}.parquet").num_rows == ROWS


def test_undefined_numbers_stay_undefined_and_are_not_zero(folder):
    written, read = tables()["heads"]["value"], Results.open(folder).heads["value"]
    assert written.isna().any()
    assert (read.isna() == written.isna()).all()


def test_the_manifest_is_read_as_it_was_written_and_keeps_the_order_of_corpora(folder):
    assert replace(Manifest.read(folder), tables={}) == manifest()
    assert list(Results.open(folder).manifest.of(TEXT)) == ["zebra", "articles"]


def test_a_folder_holds_the_declared_files_and_nothing_else_is_left_beside_it(folder):
    assert set(contents(folder.parent)) == {
        f"tiny/{name}" for name in [FILE, *(f"{table}.parquet" for table in TABLES)]
    }
    assert [path.name for path in folder.parent.iterdir()] == ["tiny"]


def test_the_same_input_gives_the_same_bytes(folder, tmp_path):
    again = write(tmp_path / "again", manifest(), tables())
    assert contents(again) == contents(folder)


def test_other_input_gives_other_bytes_in_every_table(folder, tmp_path):
    other = contents(write(tmp_path / "other", manifest(), tables(seed=1)))
    assert all(other[f"{name}.parquet"] != content for name, content in _tables_in(folder).items())


def test_writing_again_replaces_everything_that_was_written(folder):
    (folder / "stray.txt").write_text("of somebody else")
    write(folder.parent, manifest(revision="new"), tables(seed=1))
    assert Results.open(folder).manifest.revision == "new"
    assert len(contents(folder.parent)) == len([FILE, "stray.txt", *TABLES])


def test_results_are_found_by_slug_and_the_first_place_that_has_a_model_wins(tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    for place, slug in [(here, "b"), (there, "c"), (there, "b"), (there, "a")]:
        write(place, manifest(slug, revision=place.name), tables())
    found = find([here, there, tmp_path / "nowhere"])
    assert [(one.manifest.slug, one.manifest.revision) for one in found] == [
        ("a", "there"),
        ("b", "here"),
        ("c", "there"),
    ]


def test_nothing_is_found_where_nothing_is(tmp_path):
    assert find([]) == find([tmp_path]) == find([tmp_path / "nowhere"]) == []


@pytest.mark.parametrize("name", REQUIRED)
def test_a_missing_table_is_refused_by_name_with_the_command_that_makes_it(folder, name):
    (folder / f"{name}.parquet").unlink()
    with pytest.raises(ResultsError, match=rf"{name}\.parquet .*missing.*fieldguide analyze Tiny"):
        Results.open(folder)


@pytest.mark.parametrize("name", TABLES)
def test_a_table_that_was_written_and_is_gone_is_refused_unless_it_may_stay_out_of_the_repository(folder, name):
    (folder / f"{name}.parquet").unlink()
    if name in KEPT_OUT:
        assert len(Results.open(folder).table(name)) == 0
    else:
        _refused(lambda: Results.open(folder), f"{name}.parquet")


@pytest.mark.parametrize("name", REQUIRED)
@pytest.mark.parametrize("content", [b"", b"PAR1", b"not parquet at all", b"PAR1" + b"\0" * 100 + b"PAR1"])
def test_a_table_that_is_no_parquet_is_refused_by_name(folder, name, content):
    """Also where its checksum is that of the manifest."""
    (folder / f"{name}.parquet").write_bytes(content)
    _refused(lambda: Results.open(folder), str(folder / f"{name}.parquet"))
    _refused(lambda: getattr(Results.open(resealed(folder)), name), str(folder / f"{name}.parquet"))


@pytest.mark.parametrize("name", REQUIRED)
def test_a_table_cut_short_is_refused_by_name(folder, name):
    path = folder / f"{name}.parquet"
    path.write_bytes(path.read_bytes()[:-40])
    _refused(lambda: Results.open(folder), str(path))


@pytest.mark.parametrize("name", REQUIRED)
@pytest.mark.parametrize(
    "change",
    [
        lambda table: table.drop_columns(["layer"]),
        lambda table: table.rename_columns([f"{column}x" for column in table.column_names]),
        lambda table: table.append_column("extra", pa.nulls(len(table))),
    ],
)
def test_a_table_with_foreign_columns_is_refused_by_name(folder, name, change):
    path = folder / f"{name}.parquet"
    source = "documents" if name == "uniform" else name
    pq.write_table(change(pq.read_table(folder / f"{source}.parquet")), path)
    _refused(lambda: getattr(Results.open(resealed(folder)), name), f"columns of format {FORMAT} in {path}")


@pytest.mark.parametrize("told", [True, False], ids=["given segment ids", "given none"])
def test_inputs_that_were_stored_without_parts_are_read(folder, told):
    """What segment ids tell is kept; where all of them are 0, a split is neither 0 nor made up."""
    path = folder / "inputs.parquet"
    table = pq.read_table(path).drop_columns(["parts"])
    ids = pa.array([[0, at % 2 * told] for at in range(len(table))], TABLES["inputs"].field("segment_ids").type)
    pq.write_table(table.set_column(table.column_names.index("segment_ids"), "segment_ids", ids), path)
    read = Results.open(resealed(folder)).table("inputs")
    assert list(read) == TABLES["inputs"].names
    parts = [None if cell is None else list(cell) for cell in read["parts"]]
    assert parts == (ids.to_pylist() if told else [None] * ROWS)


def test_each_row_of_distances_that_were_stored_before_is_one_document(folder):
    path = folder / "divergence.parquet"
    pq.write_table(pq.read_table(path).drop_columns(["documents"]), path)
    read = Results.open(resealed(folder)).table("divergence")
    assert list(read) == TABLES["divergence"].names
    assert read["documents"].tolist() == [1] * ROWS


def test_inputs_without_segment_ids_are_refused(folder):
    path = folder / "inputs.parquet"
    pq.write_table(pq.read_table(path).drop_columns(["segment_ids", "parts"]), path)
    _refused(lambda: Results.open(resealed(folder)).table("inputs"), f"columns of format {FORMAT} in {path}")


def test_results_of_a_newer_format_are_refused_and_the_program_is_to_be_updated(folder):
    altered(folder, format=FORMAT + 1)
    with pytest.raises(ResultsError, match=f"format {FORMAT} .*found format {FORMAT + 1}; update this program"):
        Results.open(folder)


@pytest.mark.parametrize("number", range(1, FORMAT))
def test_results_of_an_older_format_are_refused_and_are_to_be_made_again(folder, number):
    altered(folder, format=number)
    expected = f"Expected results of format {FORMAT} in {folder}, found format {number}, which an older version wrote; "
    with pytest.raises(ResultsError, match=f"{re.escape(expected)}delete the folder and analyse the model again"):
        Results.open(folder)


@pytest.mark.parametrize("path", sorted((DATA / "results").glob(f"*/{FILE}")), ids=lambda path: path.parent.name)
def test_results_that_come_with_the_program_are_of_this_format(path):
    assert path.read_text(encoding="utf-8") == Manifest.read(path.parent).text()


@pytest.mark.parametrize("value", ["2", None, [2], {}], ids=str)
def test_a_format_that_is_no_number_is_refused(folder, value):
    altered(folder, format=value)
    _refused(lambda: Results.open(folder), str(folder))


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"3", b"null", b'{"model": "x"}', b"\xff\xfe"], ids=repr)
def test_a_broken_manifest_is_refused_by_name(folder, content):
    (folder / FILE).write_bytes(content)
    _refused(lambda: Results.open(folder), str(folder / FILE))


@pytest.mark.parametrize("key", ["model", "slug", "layers", "corpora", "vocabulary", "fingerprint"])
def test_a_manifest_without_one_of_its_facts_is_refused_with_the_fact(folder, key):
    _refused(lambda: Results.open(altered(folder, key)), repr(key))


@pytest.mark.parametrize("name", ["other", "../tiny", "Tiny"])
def test_results_lie_under_no_name_but_that_of_their_model(folder, name):
    """Also where the seal is right: the name becomes a folder and an address."""
    _refused(lambda: Results.open(altered(folder, slug=name)), repr(name))


def test_a_manifest_that_knows_no_languages_is_read(folder):
    corpora = json.loads((folder / FILE).read_text())["corpora"]
    for corpus in corpora:
        del corpus["language"]
    assert Results.open(altered(folder, corpora=corpora)).manifest.languages == {}


def test_a_folder_without_manifest_is_refused_with_the_command_that_makes_one(tmp_path):
    _refused(lambda: Results.open(tmp_path), "fieldguide analyze MODEL")


def test_a_manifest_that_cannot_be_opened_is_refused(folder):
    (folder / FILE).unlink()
    (folder / FILE).mkdir()
    _refused(lambda: Results.open(folder), str(folder))


def _refused(work, names):
    with pytest.raises(ResultsError) as refusal:
        work()
    message = str(refusal.value)
    assert message.startswith("Expected")
    assert names in message
    assert "analyse" in message or "analyze" in message


def _tables_in(folder):
    return {name: (folder / f"{name}.parquet").read_bytes() for name in TABLES}


def _plain(frame):
    """Lists in cells as lists, whatever the engine made of them, and text as Python's own."""
    objects = {
        name: [
            None if cell is None else (list(cell) if hasattr(cell, "__len__") and not isinstance(cell, str) else cell)
            for cell in column
        ]
        for name, column in frame.items()
        if column.dtype.kind not in "if"
    }
    return frame.assign(**{name: pd.Series(cells, dtype=object) for name, cells in objects.items()})
