"""Contexts of the pages about models: home, the list of models, and the atlas of each."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from generator.corpora.catalogue import CATALOGUE as CORPORA
from generator.corpora.kinds import CorpusKind
from generator.corpora.languages import language_name
from generator.measures import MEASURES
from generator.numbers.writing import pieces
from generator.pages import addresses
from generator.pages.blocks import Kind, Link
from generator.pages.claims.tables import SHOWN, Ledger
from generator.pages.compare.page import compare_links
from generator.pages.contexts import HeadRow, HomePage, ModelCard, ModelPage, ModelsPage, Notable, Square
from generator.pages.figures import atlas_figure
from generator.pages.heads.atlas import Atlas, HeadGrid
from generator.pages.heads.summary import KINDS, TARGETS
from generator.pages.links import head_name, to_claims, to_head, to_method, to_model, to_models
from generator.pages.studies.all import study_links

IN_TABLE: Mapping[str, str] = MappingProxyType(
    {target.column: target.name for target in TARGETS if target.kind != "self"} | {"entropy.all": "entropy"}
)
"""The numbers that stand beside each head in the table of its model, and their headings."""


COUNTED: Mapping[str, str] = MappingProxyType({key: text for kind in CorpusKind for key, text in kind.counted.items()})
"""What the manifest counts, in words."""


def home_page(atlases: Sequence[Atlas], ledger: Ledger) -> HomePage:
    """The first page."""
    here = addresses.HOME
    return HomePage(
        models=tuple(card(atlas, here) for atlas in atlases),
        claims=tuple(_verdicts(ledger, atlas.results.manifest.model, here) for atlas in atlases),
        findings=Link("Findings", addresses.relative(addresses.FINDINGS, here)),
        reading=Link("Reading a head", addresses.relative(addresses.READING, here)),
        methods=tuple(to_method(measure.name, measure.title, here) for measure in MEASURES),
    )


def _verdicts(ledger: Ledger, model: str, page: str) -> Link:
    counts = Counter(item.verdict for item in ledger.judgements if item.model == model)
    told = ", ".join(f"{counts[verdict]} {verdict.removesuffix('s')}" for verdict in SHOWN)
    return Link(f"{counts.total()} claims for {model}: {told}", to_claims(page).href)


def models_page(atlases: Sequence[Atlas]) -> ModelsPage:
    """All models."""
    return ModelsPage(models=tuple(card(atlas, addresses.MODELS) for atlas in atlases))


def model_page(atlas: Atlas) -> ModelPage:
    """The atlas of one model."""
    here = addresses.model(atlas.slug)
    manifest = atlas.results.manifest
    return ModelPage(
        name=manifest.model,
        models=to_models(here),
        lead=_lead(atlas),
        card=card(atlas, here),
        atlas=atlas_figure(atlas, here),
        columns=tuple(to_method(name, heading, here) for name, heading in IN_TABLE.items()),
        heads=tuple(_row(atlas, layer, head, here) for layer, head in atlas.places),
        studies=(*study_links(atlas, here), *compare_links(atlas, here)),
        facts=_facts(atlas),
        command=manifest.command,
    )


def card(atlas: Atlas, page: str) -> ModelCard:
    """A model as a small map of its heads."""
    manifest = atlas.results.manifest
    layers, heads = atlas.shape
    first = {summary.first for summary in atlas.summaries.values()}
    cells = [_cell(atlas, layer, head, page) for layer, head in atlas.places]
    return ModelCard(
        name=manifest.model,
        href=to_model(atlas.slug, manifest.model, page).href,
        facts=f"{layers} layers of {heads} heads, {manifest.family}, {atlas.text}",
        n=atlas.documents,
        rows=tuple(tuple(cells[start : start + heads]) for start in range(0, len(cells), heads)),
        legend=tuple(Kind(key, text) for key, text in KINDS.items() if key in first),
        notable=tuple(_notable(atlas, page)),
    )


def _cell(atlas: Atlas, layer: int, head: int, page: str) -> Square:
    summary = atlas.summaries[layer, head]
    return Square(
        name=head_name(layer, head),
        href=to_head(atlas.slug, layer, head, page).href,
        first=Kind(summary.first, KINDS[summary.first]),
        side=round(100 * math.sqrt(summary.share)),
        summary=summary.text,
    )


def _notable(atlas: Atlas, page: str) -> Iterator[Notable]:
    for target in TARGETS:
        estimate = atlas.estimates[target.column]
        if not np.isnan(estimate.value).any():
            layer, head = atlas.places[int(estimate.value.argmax())]
            value, ends = pieces(estimate.of(layer, head))
            yield Notable(
                kind=Kind(target.kind, target.name),
                target=to_method(target.column, target.name, page),
                head=to_head(atlas.slug, layer, head, page),
                value=value,
                interval=ends,
            )


def _row(atlas: Atlas, layer: int, head: int, page: str) -> HeadRow:
    summary = atlas.summaries[layer, head]
    return HeadRow(
        link=to_head(atlas.slug, layer, head, page),
        kind=Kind(summary.kind, KINDS[summary.kind]),
        summary=summary.text,
        numbers=tuple(_estimate(atlas.estimates[name], layer, head) for name in IN_TABLE),
    )


def _estimate(estimate: HeadGrid, layer: int, head: int) -> tuple[str, str]:
    return pieces(estimate.of(layer, head))


def _lead(atlas: Atlas) -> str:
    kinds = Counter(summary.kind for summary in atlas.summaries.values())
    counts = ", ".join(f"{count} {KINDS[kind]}" for kind, count in kinds.most_common())
    return f"{kinds.total()} heads by kind: {counts}."


def _facts(atlas: Atlas) -> tuple[tuple[str, str], ...]:
    manifest = atlas.results.manifest
    titles = {entry.name: f"{entry.title} ({entry.licence}); " for entry in CORPORA}
    facts = [
        ("Model", f"{manifest.model} ({manifest.family}), revision {manifest.revision}"),
        ("Weights", f"sha256 {manifest.weights_sha256[:12]}, {manifest.dtype}, on {manifest.device}"),
    ]
    checksums = {corpus.name: corpus.sha256[:12] or "not known" for corpus in manifest.corpora}
    for name, counts in manifest.counts.items():
        text = ", ".join(f"{count:,} {COUNTED[kind]}" for kind, count in counts.items() if count or kind != "short")
        text += f"; in {language_name(manifest.languages[name])}" if name in manifest.languages else ""
        facts.append((f"Corpus {name}", f"{titles.get(name, '')}{text}; sha256 {checksums[name]}"))
    if len(manifest.of(CorpusKind.TEXT)) > 1:
        facts.append(("Shown", f"{atlas.corpus}; the numbers on other corpora are in heads.parquet"))
    facts += [
        ("Settings", ", ".join(f"{name} {value}" for name, value in manifest.settings.items() if value is not None)),
        ("Observed through", manifest.observed),
        ("Packages", ", ".join(f"{name} {version}" for name, version in manifest.packages.items())),
    ]
    return tuple(facts)
