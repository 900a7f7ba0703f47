"""Contexts of the pages about models: home, the list of models, and the atlas of each."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from generator.measures import MEASURES, OF_COLUMN
from generator.pages import addresses
from generator.pages.atlas import Atlas
from generator.pages.contexts import Cell, HeadRow, HomePage, Legend, Link, ModelCard, ModelPage, ModelsPage, Notable
from generator.pages.figures import atlas_figure
from generator.pages.format import interval, number
from generator.pages.summary import KINDS, TARGETS

IN_TABLE = (
    "attention.previous",
    "attention.next",
    "attention.cls",
    "attention.sep",
    "attention.punctuation",
    "entropy.all",
)
"""The numbers that stand beside each head in the table of its model."""
SHORT = {
    "attention.previous": "previous",
    "attention.next": "next",
    "attention.cls": "begin",
    "attention.sep": "separators",
    "attention.punctuation": ". and ,",
    "entropy.all": "entropy",
}


def home_page(atlases: Sequence[Atlas]) -> HomePage:
    """The first page."""
    here = addresses.HOME
    return HomePage(
        models=tuple(card(atlas, here) for atlas in atlases),
        methods=tuple(
            Link(measure.title, addresses.relative(addresses.method(measure.name), here)) for measure in MEASURES
        ),
    )


def models_page(atlases: Sequence[Atlas]) -> ModelsPage:
    """All models."""
    return ModelsPage(models=tuple(card(atlas, addresses.MODELS) for atlas in atlases))


def model_page(atlas: Atlas) -> ModelPage:
    """The atlas of one model."""
    here = addresses.model(atlas.slug)
    manifest = atlas.results.manifest
    return ModelPage(
        name=manifest.model,
        lead=_lead(atlas),
        card=card(atlas, here),
        atlas=atlas_figure(atlas),
        columns=tuple(
            Link(SHORT[name], addresses.relative(addresses.method(OF_COLUMN[name].name), here)) for name in IN_TABLE
        ),
        heads=tuple(_row(atlas, layer, head, here) for layer, head in atlas.places),
        facts=_facts(atlas),
        command=manifest.command,
    )


def card(atlas: Atlas, page: str) -> ModelCard:
    """A model as a small map of its heads."""
    manifest = atlas.results.manifest
    kinds = {summary.first for summary in atlas.summaries.values()}
    cells = [
        Cell(
            name=f"{layer}-{head}",
            href=addresses.relative(addresses.head(atlas.slug, layer, head), page),
            first=atlas.summaries[layer, head].first,
            side=round(100 * math.sqrt(atlas.summaries[layer, head].share)),
            summary=atlas.summaries[layer, head].text,
        )
        for layer, head in atlas.places
    ]
    layers, heads = atlas.shape
    return ModelCard(
        name=manifest.model,
        href=addresses.relative(addresses.model(atlas.slug), page),
        facts=f"{layers} layers of {heads} heads, {manifest.family}, {_documents(atlas)} documents of {atlas.corpus}",
        n=_documents(atlas),
        rows=tuple(tuple(cells[start : start + heads]) for start in range(0, len(cells), heads)),
        legend=tuple(Legend(kind, text) for kind, text in KINDS.items() if kind in kinds),
        notable=tuple(_notable(atlas, page)),
    )


def _notable(atlas: Atlas, page: str) -> Iterator[Notable]:
    for target in TARGETS:
        values = atlas.estimates[target.column].value
        if not np.isnan(values).any():
            layer, head = atlas.places[int(values.argmax())]
            estimate, at = atlas.estimates[target.column], (layer - 1, head - 1)
            yield Notable(
                kind=target.kind,
                target=Link(target.words, addresses.relative(addresses.method(target.column), page)),
                head=Link(f"{layer}-{head}", addresses.relative(addresses.head(atlas.slug, layer, head), page)),
                value=number(estimate.value[at]),
                interval=interval(estimate.low[at], estimate.high[at]),
            )


def _row(atlas: Atlas, layer: int, head: int, page: str) -> HeadRow:
    summary = atlas.summaries[layer, head]
    return HeadRow(
        link=Link(f"{layer}-{head}", addresses.relative(addresses.head(atlas.slug, layer, head), page)),
        kind=summary.kind,
        kind_text=KINDS[summary.kind],
        summary=summary.text,
        numbers=tuple(number(atlas.estimates[name].value[layer - 1, head - 1]) for name in IN_TABLE),
    )


def _lead(atlas: Atlas) -> str:
    kinds = [summary.kind for summary in atlas.summaries.values()]
    common = sorted((kind for kind in set(kinds) if kind != "mixed"), key=lambda kind: (-kinds.count(kind), kind))
    parts = [f"{kinds.count(kind)} {_looking(kind)}" for kind in common]
    rest = kinds.count("mixed")
    return (
        f"Of {len(kinds)} heads, {', '.join(parts)}{', and ' if parts else ''}{rest} give no single target more than "
        "half of their attention."
    )


def _looking(kind: str) -> str:
    return "look broadly" if kind == "broad" else f"look mostly at the {KINDS[kind].removeprefix('the ')}"


def _documents(atlas: Atlas) -> int:
    return atlas.results.manifest.counts[atlas.corpus]["documents"]


def _facts(atlas: Atlas) -> tuple[tuple[str, str], ...]:
    manifest = atlas.results.manifest
    texts = tuple(
        (
            f"Corpus {name}",
            "{documents} documents, {inputs} inputs, {tokens:,} tokens; sha256 ".format(**counts)
            + manifest.corpora[name][:12],
        )
        for name, counts in manifest.counts.items()
    )
    if len(texts) > 1:
        texts += (("Shown", f"{atlas.corpus}; the numbers on other corpora are in heads.parquet"),)
    settings = ", ".join(f"{name} {value}" for name, value in manifest.settings.items())
    return (
        ("Model", f"{manifest.model} ({manifest.family}), revision {manifest.revision}"),
        ("Weights", f"sha256 {manifest.weights_sha256[:12]}, {manifest.dtype}, on {manifest.device}"),
        *texts,
        ("Settings", settings),
        ("Observed through", manifest.observed),
        ("Packages", ", ".join(f"{name} {version}" for name, version in manifest.packages.items())),
    )
