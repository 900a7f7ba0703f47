"""The page of all numbers that an analysis has found about a model as a whole, study by study."""

from collections.abc import Iterator
from functools import cache

import pandas as pd

from generator.numbers.number import Number
from generator.numbers.quantity import Maker, Study
from generator.pages import addresses
from generator.pages.blocks import Section, Sections, opening
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cells, Count, Link, Name, prose
from generator.pages.links import model_crumbs, to_study
from generator.pages.studies.study_page import StudyPage
from generator.pages.studies.tables import NOTHING, cell, corpora, count, stored, table
from generator.results.tables import records
from generator.studies.declared import BY_MAKER

TITLE = "All numbers"
ANALYSIS = BY_MAKER[Maker.ANALYSIS]


def there(atlas: Atlas) -> bool:
    """Whether the model has any such number."""
    return len(_of_model(atlas)) > 0


def numbers_page(atlas: Atlas) -> Sections:
    """A table for each study; numbers of layers and heads are in the files."""
    here, model = addresses.numbers(atlas.slug), atlas.results.manifest.model
    found = _of_model(atlas)
    files = Link("files of these results", addresses.relative(addresses.folder(atlas.results.folder.name), here))
    return Sections(
        title=TITLE,
        lead=(
            f"Every number that its analysis found about {model} as a whole, also those that no other page shows. Each "
            "stands with its 95 % interval, if it has one, and with n, the number of units it rests on."
        ),
        crumbs=model_crumbs(atlas.slug, model, here),
        sections=(
            opening(prose("The numbers of single layers and heads are in the {files}.", files=files)),
            *_sections(atlas, found, here),
        ),
        card=f"{len(found):,} numbers in {found['study'].nunique()} studies, each with what it rests on.",
    )


def _of_model(atlas: Atlas) -> pd.DataFrame:
    found = stored(atlas, "facts", layer=0)
    return found[found["study"].isin([study.name for study in ANALYSIS])]


def _sections(atlas: Atlas, found: pd.DataFrame, page: str) -> Iterator[Section]:
    order = corpora(found, atlas.results.manifest.counts)
    by_study = dict(list(found.groupby("study")))
    for study in ANALYSIS:
        rows = by_study.get(study.name)
        if rows is not None:
            heads = "Number", "Value", "n", "Corpus"
            sentence = prose(f"{study.about} {{defined}}", defined=Link("Definitions", to_study(study, page).href))
            shown = table(study.title, heads, _rows(study, rows, order))
            yield Section(study.name.replace(" ", "-"), study.title, (sentence, shown))


def _rows(study: Study, rows: pd.DataFrame, order: list[str]) -> Iterator[Cells]:
    """A row for each number and corpus, in the order of the records and of the manifest."""

    @cache
    def place(name: str) -> int:
        return next(at for at, record in enumerate(study.quantities) if record.values_in(name) is not None)

    for row in sorted(records(rows), key=lambda row: (place(row["name"]), row["name"], order.index(row["corpus"]))):
        quantity = study.quantity(row["name"])
        corpus = Name(row["corpus"]) if row["corpus"] else NOTHING
        yield (quantity.title, " ", Count(quantity.unit)), cell(Number.of(row)), count(row["n"]), corpus


PAGE = StudyPage(TITLE, addresses.numbers, there, numbers_page)
