"""The context of a head's page."""

from collections.abc import Iterator

from generator.measures.patterns import PATTERN
from generator.measures.position import OFFSET
from generator.numbers.writing import number, pieces
from generator.pages import addresses
from generator.pages.blocks import Cells, Kind, Link
from generator.pages.figures import SINGLE, classes_figure, maps_figure, offsets_figure
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.contexts import HeadPage, Similar
from generator.pages.heads.studies import HeadStudies
from generator.pages.heads.summary import KINDS
from generator.pages.links import to_head, to_method, to_model, to_models
from generator.pages.patterns.page import pattern_line

NEIGHBOURS = 5
BY_MEASURES = "Euclidean distance over all measures, each scaled to unit spread among the heads of this model"
BY_DIVERGENCE = "mean Jensen-Shannon divergence of their rows on the same text, in nats; it is 0 for equal heads"


def head_page(atlas: Atlas, studies: HeadStudies, layer: int, head: int) -> HeadPage:
    """Everything about one head; layer and head are 1-based."""
    here = addresses.head(atlas.slug, layer, head)
    summary = atlas.summaries[layer, head]
    at = atlas.places.index((layer, head))
    token, share = atlas.sinks[layer, head]
    return HeadPage(
        title=f"Layer {layer}, head {head}",
        kind=Kind(summary.kind, KINDS[summary.kind]),
        summary=summary.text,
        believed=studies.believed(layer, head),
        history=studies.histories.of(layer, head, here),
        source=atlas.text,
        models=to_models(here),
        model=to_model(atlas.slug, atlas.results.manifest.model, here),
        previous=_neighbour(atlas, at - 1, here),
        next=_neighbour(atlas, at + 1, here),
        numbers=tuple(_numbers(atlas, layer, head, here)),
        offset=to_method(OFFSET.name, OFFSET.title, here),
        sink=f"The sink is {token} in {share:.0%} of the documents.",
        shares=pattern_line(atlas, layer, head),
        pattern=to_method(PATTERN.name, "pattern", here),
        patterns=Link("all heads", addresses.relative(addresses.patterns(atlas.slug), here)),
        offsets=offsets_figure(atlas, layer, head),
        classes=classes_figure(atlas, layer, head),
        maps=maps_figure(atlas, layer, head),
        tracked=studies.tracked(layer, head, here),
        similar=tuple(_similar(atlas, layer, head, here)),
        measured_by=BY_MEASURES if atlas.divergence is None else BY_DIVERGENCE,
        map=Link("map of heads", addresses.relative(addresses.head_map(atlas.slug), here)) if atlas.mapped else None,
    )


def _neighbour(atlas: Atlas, at: int, page: str) -> Link | None:
    return to_head(atlas.slug, *atlas.places[at], page) if 0 <= at < len(atlas.places) else None


def _numbers(atlas: Atlas, layer: int, head: int, page: str) -> Iterator[Cells]:
    at = layer - 1, head - 1
    for measure in SINGLE:
        estimate = atlas.estimates[measure.name]
        rank = int(atlas.ranks[measure.name][at])
        yield (
            to_method(measure.name, measure.title, page),
            *pieces(estimate.of(layer, head)),
            number(estimate.uniform),
            f"{rank} of {len(atlas.places)}" if rank else "-",
            measure.unit,
            str(estimate.n),
        )


def _similar(atlas: Atlas, layer: int, head: int, page: str) -> list[Similar]:
    return [
        Similar(
            link=to_head(atlas.slug, *other, page),
            kind=Kind(atlas.summaries[other].kind, KINDS[atlas.summaries[other].kind]),
            summary=atlas.summaries[other].text,
            distance=number(distance),
        )
        for other, distance in atlas.similar(layer, head, NEIGHBOURS)
    ]
