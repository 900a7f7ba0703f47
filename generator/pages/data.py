"""The page of all stored tables, which are published beside it for download."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from generator import __version__
from generator.measures import MEASURES
from generator.numbers.writing import in_letters
from generator.pages import addresses
from generator.pages.blocks import Facts, Folded, Listing, Section, Sections, Table, opening
from generator.pages.claims.figures import DIGITS
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Code, Link, Name, Prose, prose
from generator.pages.links import to_methods, to_model
from generator.pages.renderer import Page, Renderer
from generator.results.files import Folder
from generator.results.manifest import FILE as MANIFEST
from generator.results.tables import HOLDS, KEPT_OUT, TABLES

PARQUET = "application/vnd.apache.parquet"
HELD = "What is in a table"
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


def folder_pages(atlas: Atlas, renderer: Renderer) -> Iterator[Page]:
    """A page for each folder of a model's results."""
    for folder in atlas.folders:
        made = partial(_folder, atlas, folder, renderer)
        yield renderer.attempt("", f"Files of {folder.name}", addresses.folder(folder.name), made)


def _folder(atlas: Atlas, folder: Folder, renderer: Renderer) -> Page:
    return renderer.page(addresses.folder(folder.name), folder_page(atlas, folder), search="")


def data_page(atlases: Sequence[Atlas]) -> Sections:
    """Every table of every model, what it holds, and how to read it."""
    here = addresses.DATA
    sentence = prose(
        "Each model has a folder, and so has each experiment on it; the manifest of a folder says how it was computed. "
        "After the @ in a folder's name stands the experiment and its task, as in {example}, or another corpus that "
        "the model read. {tables} says what each file holds. "
        "The numbers in {facts} and {heads} go by names; the {dictionary} says what each one is. {methods} defines the "
        "measures in the other tables, and lists what is made from stored tables when a page is built. {verdicts} has "
        "the verdict of every claim for every model, and the day on which it was first published here. The menu of "
        "a figure saves its numbers as they are stored, unless a column {decimals} says to how many decimals they are "
        "rounded; those of claims, which are in no file, have {digits} digits. The menu of a table saves what is "
        "written in it.",
        example=Code("@finetune.sst2"),
        tables=Link(HELD, "#tables"),
        facts=Code("facts"),
        heads=Code("head_facts"),
        dictionary=Link("data dictionary", f"../{addresses.DICTIONARY}"),
        methods=to_methods(here),
        verdicts=Link("verdicts.csv", addresses.VERDICTS.removeprefix(here)),
        decimals=Code("decimals"),
        digits=in_letters(DIGITS),
    )
    return Sections(
        title="Data",
        lead=(
            "The numbers from which the pages are made, as Parquet files. A few more are made from these when a page "
            "is built; they are in no file."
        ),
        crumbs=(),
        sections=(
            opening(sentence),
            Section(
                "examples",
                "How to read them",
                (
                    prose("Save {file} of a model and run this beside it, with pandas:", file=Code("heads.parquet")),
                    Listing(PANDAS),
                    "Or with DuckDB:",
                    Listing(DUCKDB),
                    "Both print the five heads that attend most to the previous token.",
                ),
            ),
            _columns(),
            *(_files(atlas, here) for atlas in atlases),
        ),
    )


def folder_page(atlas: Atlas, folder: Folder) -> Sections:
    """What lies in one folder."""
    here, manifest = addresses.folder(folder.name), atlas.results.manifest
    data = Link("Data", addresses.relative(addresses.DATA, here))
    return Sections(
        title=("Data of ", Name(folder.name)),
        lead=f"The tables of {folder.name} as Parquet files, and the manifest that says how they were computed.",
        crumbs=(data, to_model(manifest.slug, manifest.model, here)),
        sections=(opening(_table(folder, here)),),
    )


def data_files(atlas: Atlas) -> Iterator[tuple[str, Path]]:
    """Address and file of each table of a model, and of the manifest of each folder."""
    for folder in atlas.folders:
        for stored in folder.tables:
            yield addresses.table(folder.name, stored.name), folder.place / f"{stored.name}.parquet"
        yield addresses.manifest(folder.name), folder.place / MANIFEST


def dataset(atlas: Atlas, text: str, site: str) -> Mapping[str, Any]:
    """The stored numbers of a model as a schema.org data set, for the model's page; `text` describes them.

    Its files have whole addresses, as search engines need them; if the site's address is empty, they are relative to
    the page, as JSON-LD allows.
    """
    manifest, first = atlas.results.manifest, atlas.folders[0]
    here = "" if site else addresses.model(manifest.slug)
    place = site + addresses.relative(addresses.folder(first.name), here)
    files = (f"{stored.name}.parquet" for stored in first.tables)
    return {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "name": f"Attention heads of {manifest.model}",
        "description": text,
        "version": __version__,
        "isAccessibleForFree": True,
        "variableMeasured": [measure.title for measure in MEASURES],
        "distribution": [
            {"@type": "DataDownload", "name": file, "encodingFormat": PARQUET, "contentUrl": f"{place}{file}"}
            for file in files
        ],
    }


def _files(atlas: Atlas, page: str) -> Section:
    manifest = atlas.results.manifest
    title = Name(manifest.model, to_model(manifest.slug, manifest.model, page).href)
    first, *others = atlas.folders
    experiments = (Folded(Name(folder.name), (_table(folder, page),)) for folder in others)
    return Section(f"files-{manifest.slug}", title, (_table(first, page), *experiments))


def _table(folder: Folder, page: str) -> Table:
    place = addresses.relative(addresses.folder(folder.name), page)
    rows = [
        (Link(f"{stored.name}.parquet", f"{place}{stored.name}.parquet"), f"{stored.rows:,}", _size(stored.size))
        for stored in folder.tables
    ]
    manifest = Link(MANIFEST, f"{place}{MANIFEST}"), "", ""
    return Table((Name(folder.name), "rows", "size"), (*rows, manifest), f"Files of {folder.name}")


def _columns() -> Section:
    names = [name for name in TABLES if name not in KEPT_OUT]
    lines: tuple[tuple[Prose, Prose], ...] = tuple(
        (Code(name), f"{HOLDS[name]} Columns: {', '.join(TABLES[name].names)}.") for name in names
    )
    out = " and ".join(f"{name}.parquet" for name in KEPT_OUT)
    note = f"Not published: {out}, which may hold text that is not ours. A build on your machine keeps them as results."
    return Section("tables", HELD, (Facts(lines), note))


def _size(count: int) -> str:
    """A number of bytes as text.

    >>> _size(900), _size(1_250_000)
    ('1 KB', '1.2 MB')
    """
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{-(-count // 1000)} KB"
