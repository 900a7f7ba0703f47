"""The page of all stored tables, which are published beside it for download."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from generator.pages import addresses
from generator.pages.blocks import Facts, Listing, Section, Sections, Table, opening
from generator.pages.inline import Cells, Code, Link, Name, Prose, prose
from generator.pages.links import to_methods, to_model
from generator.results.files import StoredTable, stored_tables
from generator.results.store import Results
from generator.results.tables import HOLDS, KEPT_OUT, TABLES

PANDAS = """import pandas as pd

heads = pd.read_parquet("heads.parquet")
top = heads[heads["measure"] == "attention.previous"].nlargest(5, "value")
print(top[["layer", "head", "value", "low", "high"]])"""
DUCKDB = """import duckdb

top = duckdb.sql(\"\"\"
    SELECT layer, head, value, low, high
    FROM 'heads.parquet'
    WHERE measure = 'attention.previous'
    ORDER BY value DESC
    LIMIT 5
\"\"\").df()
print(top)"""


def data_page(results: Sequence[Results]) -> Sections:
    """Every table of every model, what it holds, and how to read it."""
    here = addresses.DATA
    told = prose(
        "Each model has a folder, and so has each experiment on it; the manifest of a folder says how it was computed. "
        "The numbers in {facts} and {heads} go by names; the {dictionary} says what each one is. {methods} defines the "
        "measures in the other tables.",
        facts=Code("facts"),
        heads=Code("head_facts"),
        dictionary=Link("data dictionary", addresses.relative(addresses.METHODS, here) + _name(addresses.DICTIONARY)),
        methods=to_methods(here),
    )
    return Sections(
        title="Data",
        lead="Every number of this site can be downloaded, as Parquet files that hold what the pages were made from.",
        crumbs=(),
        sections=(
            opening(told),
            Section(
                "examples",
                "Read them",
                (
                    prose("Save {file} of a model and run this beside it, with pandas:", file=Code("heads.parquet")),
                    Listing(PANDAS),
                    "Or with DuckDB:",
                    Listing(DUCKDB),
                    "Both print the five heads that attend most to the previous token.",
                ),
            ),
            *(_files(one, here) for one in results),
            _columns(),
        ),
    )


def data_files(results: Sequence[Results]) -> Iterator[tuple[str, Path]]:
    """Address and file of each table, and of the manifest of each folder."""
    for one in results:
        for stored in stored_tables(one):
            yield addresses.table(stored.folder, stored.name), stored.path
        for part in (one, *one.more):
            yield addresses.manifest(part.manifest.folder), part.folder / _name(addresses.manifest(""))


def _files(results: Results, page: str) -> Section:
    manifest = results.manifest
    stored = tuple(stored_tables(results))
    columns = ("file", "folder, with its manifest", "rows", "size")
    table = Table(columns, tuple(map(_row, stored)), f"Files of {manifest.model}")
    size = _size(sum(one.size for one in stored))
    told = prose("{count} files, {size} in all.", count=str(len(stored)), size=size)
    title = Name(manifest.model, to_model(manifest.slug, manifest.model, page).href)
    return Section(f"files-{manifest.slug}", title, (told, table))


def _row(stored: StoredTable) -> Cells:
    def beside(address: str) -> str:
        return quote(address.removeprefix(addresses.DATA))

    file = Link(f"{stored.name}.parquet", beside(addresses.table(stored.folder, stored.name)))
    folder = Name(stored.folder, beside(addresses.manifest(stored.folder)))
    return file, folder, f"{stored.rows:,}", _size(stored.size)


def _columns() -> Section:
    names = [name for name in TABLES if name not in KEPT_OUT]
    lines: tuple[tuple[Prose, Prose], ...] = tuple(
        (Code(name), f"{HOLDS[name]} Columns: {', '.join(TABLES[name].names)}.") for name in names
    )
    out = " and ".join(f"{name}.parquet" for name in KEPT_OUT)
    note = f"Not published: {out}, which tell what was read. A build on your machine leaves them in its results."
    return Section("tables", "What is in a table", (Facts(lines), note))


def _size(count: int) -> str:
    """Bytes in words.

    >>> _size(900), _size(1_250_000)
    ('1 KB', '1.2 MB')
    """
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{-(-count // 1000)} KB"


def _name(address: str) -> str:
    return address.rpartition("/")[2]
