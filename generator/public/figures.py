"""The figures of the site as Altair charts, to be shown in a notebook or saved for a paper."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from typing import Literal, get_args

import altair as alt

from generator.charts.compile import chart
from generator.claims.all import CLAIMS
from generator.claims.claim import judge
from generator.claims.evidence.evidence import Evidence
from generator.errors import ResultsError, SettingsError
from generator.pages.blocks import Figure
from generator.pages.claims.figures import evidence_figure
from generator.pages.claims.tables import comparable
from generator.pages.figures import ByCorpus, atlas_figure, classes_figure, offsets_figure
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.sentences import maps_figure
from generator.pages.links import head_name
from generator.public.choices import among
from generator.results.store import Results
from generator.topics import of_topics

Kind = Literal["grid", "curves", "offsets", "classes", "map", "evidence"]
PAGE = ""
"""The address of a chart's page, to which links would be relative; a chart in a notebook has no page and no links."""


def figure(
    kind: Kind | str,
    results: Results | Sequence[Results],
    *,
    measure: str = "",
    head: str = "",
    sentence: int = 1,
    corpus: str = "",
    claim: str = "",
    part: int = 1,
) -> alt.TopLevelMixin:
    """A figure of the site as an Altair chart with its data.

        grid        a `measure` of all heads, layer by head
        curves      a `measure` over layers, with each layer's mean
        offsets     how far from its queries a `head` looks
        classes     what a `head` looks at and what it writes, by class of token
        map         a `head`'s attention in one `sentence`, of those that its page shows, counted from 1
        evidence    the number behind a `claim`, or another `part` of it counted from 1, for each of several `results`
        relations   the best head of each dependency relation, in the treebank `corpus`, or the first that was read

    A topic may add kinds of figures, as that of relations does.

    A head is named as in the papers, layer and head counted from 1: "3-2". Raises SettingsError for an option that is
    missing or does not exist, and ResultsError where the results do not hold what is asked for.
    """
    among(kind, (*get_args(Kind), *of_topics_by_kind()), "a kind of figure")
    stored = [results] if isinstance(results, Results) else list(results)
    if kind == "evidence":
        return _drawn(kind, _evidence(stored, claim, part))
    if len(stored) != 1:
        raise SettingsError(f"Expected the results of one model for {kind!r}, found {len(stored)}; choose one of them.")
    atlas = Atlas(stored[0])
    if kind in of_topics_by_kind():
        return _drawn(kind, _of_topic(of_topics_by_kind()[kind], atlas, corpus))
    if kind in ("grid", "curves"):
        figures = atlas_figure(atlas, PAGE)
        names = [view["constants"]["measure"] for view in json.loads(figures.data)["views"]]
        return _drawn(kind, figures, names.index(among(measure, names, "a measure")))
    places = {head_name(*place): place for place in atlas.places}
    layer, number = places[among(head, places, "a head")]
    if kind == "map":
        figures = maps_figure(atlas, layer, number)
        return _drawn(kind, figures, among(sentence, range(1, len(figures.views) + 1), "a sentence") - 1)
    return _drawn(kind, (offsets_figure if kind == "offsets" else classes_figure)(atlas, layer, number))


@cache
def of_topics_by_kind() -> Mapping[str, ByCorpus]:
    """Kind -> the figures of a topic."""
    return {topic.kind: topic for topic in of_topics("figures", "FIGURE")}


def _evidence(stored: Sequence[Results], name: str, part: int) -> Figure:
    models = [results.manifest.model for results in stored]
    if len(set(models)) < len(models):
        twice = next(name for name in models if models.count(name) > 1)
        raise SettingsError(f"Expected results of different models, found {twice} twice; leave one of them out.")
    claims = {claim.id: claim for claim in CLAIMS}
    claim = claims[among(name.upper(), claims, "a claim")]
    order = among(part, range(1, len(claim.parts) + 1), f"a part of {claim.id}") - 1
    items = [judge(claim, Evidence(results)) for results in stored]
    findings = {item.model: item.findings[order] for item in items}
    judged = {item.model for item in items if item.verdict != "not testable"}
    made = evidence_figure(
        claim,
        part=claim.parts[order],
        anchor="evidence",
        findings=findings,
        beside=comparable(claim, order),
        judged=judged,
    )
    if made is None:
        reasons = " ".join(dict.fromkeys(item.reason for item in items))
        raise ResultsError(f"Expected a number for {claim.id}, found none; choose other results or claims. {reasons}")
    return made


def _of_topic(found: ByCorpus, atlas: Atlas, corpus: str) -> Figure:
    by_corpus = found.of(atlas)
    if not by_corpus:
        model = atlas.results.manifest.model
        raise ResultsError(f"Expected {found.what}, found none for {model}; {found.remedy}.")
    return by_corpus[among(corpus or next(iter(by_corpus)), by_corpus, found.noun)]()


def _drawn(kind: str, made: Figure, at: int = 0) -> alt.TopLevelMixin:
    """A figure's chart with the data of one view, as rows like those that the site's script makes."""
    data = json.loads(made.data)
    view = data["views"][at]
    if data.get("grid"):
        tokens: list[str] = view["tokens"]
        places = product(enumerate(tokens), repeat=2)
        rows = [
            # The data of a page have weights in thousandths.
            {"query": query, "key": key, "q": q, "k": k, "weight": weight / 1000}
            for ((q, query), (k, key)), weight in zip(places, view["weights"], strict=True)
        ]
        return chart(kind, rows, {"labels": view.get("labels", tokens)}, made.label)
    columns = {name: values for name, values in (data["shared"] | view["columns"]).items() if name != "href"}
    constants = view.get("constants", {})
    rows = [constants | dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    return chart(kind, rows, view.get("signals", {}), view.get("title", made.label))
