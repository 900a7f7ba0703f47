"""The context of a model's page on patterns: shares of five classes of maps, and how much hangs on the cut-offs."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from generator.claims.evidence.evidence import Evidence
from generator.claims.kovaleva.patterns import in_commonest
from generator.claims.missing import NotTestable
from generator.claims.published import Published, published
from generator.corpora.kinds import CorpusKind
from generator.measures.patterns import CUTOFFS, NEAR, PATTERN, PATTERN_COLUMNS, PATTERNS
from generator.numbers.number import number_at
from generator.numbers.resampling import Estimate
from generator.numbers.writing import number, written
from generator.pages import addresses
from generator.pages.blocks import Cell, Figure, Link, Table
from generator.pages.figures import embed, rounded
from generator.pages.heads.atlas import Atlas
from generator.pages.links import to_claim, to_head, to_method, to_model, to_models, to_reference, to_term
from generator.pages.patterns.contexts import PatternsPage
from generator.pages.patterns.maps import typical_maps
from generator.pages.studies.tables import NOTHING, cell, corpora, count, stored, table
from generator.studies.layers.pattern_shares import STEPS, mean_shares, sweep

TITLE = "Patterns"
TOP = 3
"""Heads that are named for a pattern."""
VIEWS = {
    "both": ("Both cut-offs", "both", "attention to special tokens, and to neighbours"),
    "special": ("Special tokens", "special tokens", "attention to special tokens"),
    "near": ("Neighbours", "neighbours", "attention to neighbours"),
    "column": ("One column", "one column", "attention to the token that receives most, in place of special tokens"),
}
"""Rule that moves -> its name, its name in the table, what the cut-off is on."""
PAPER = (
    ("vertical", "kovaleva.patterns.vertical", "maps labelled by hand"),
    ("vertical", "kovaleva.blog.vertical", "the least, among heads"),
    ("heterogeneous", "kovaleva.patterns.heterogeneous_mrpc", "the least, on MRPC"),
    ("heterogeneous", "kovaleva.patterns.heterogeneous_qqp", "the most, on QQP"),
)
"""Pattern, published share, of what."""
CLAIMS = ("K01", "K02", "K03")


def there(atlas: Atlas) -> bool:
    """Whether there are documents to class."""
    return bool((atlas.results.layers["corpus"] == atlas.corpus).any())


def patterns_page(atlas: Atlas) -> PatternsPage:
    """Shares by layer, text and head, how they move, and typical maps."""
    here = addresses.patterns(atlas.slug)
    seed = int(atlas.results.manifest.settings["seed"])
    documents = stored(atlas, "documents", corpus=atlas.corpus)
    whole = mean_shares(documents, seed)
    return PatternsPage(
        models=to_models(here),
        model=to_model(atlas.slug, atlas.results.manifest.model, here),
        lead=_lead(atlas, whole),
        source=to_reference("kovaleva2019", "Kovaleva et al. 2019", here),
        rule=to_method(PATTERN.name, "the rule", here),
        near=to_method(NEAR.name, "neighbours", here),
        layers=_layers(atlas),
        texts=_texts(atlas, seed, here),
        own=_own(atlas),
        heads=_heads(atlas, here),
        moved=_moved(atlas, documents, seed),
        split=_split(atlas),
        typical=tuple(typical_maps(atlas, here)),
        published=_published(whole, here),
        claims=tuple(to_claim(claim, claim, here) for claim in CLAIMS),
    )


def pattern_line(atlas: Atlas, layer: int, head: int) -> str:
    """The shares of one head that are not zero, with their intervals."""
    found = [
        (name, atlas.estimates[column].of(layer, head)) for name, column in zip(PATTERNS, PATTERN_COLUMNS, strict=True)
    ]
    return ", ".join(f"{name} {written(one)}" for name, one in found if one.value > 0)


def _lead(atlas: Atlas, whole: Estimate) -> str:
    parts = [f"{name} {written(number_at(whole, (at,)))}" for at, name in enumerate(PATTERNS)]
    return f"Shares of all maps, one for each head and input: {', '.join(parts)}. Read: {atlas.text}."


def _layers(atlas: Atlas) -> Figure:
    estimates = [atlas.estimates[name].layers for name in PATTERN_COLUMNS]
    whole = Estimate(*(np.stack(parts, axis=-1) for parts in zip(*estimates, strict=True)))
    names = [str(layer) for layer in range(1, len(whole.value) + 1)]
    return Figure(
        id="layers",
        label="Shares of the five patterns by layer",
        kinds=("patterns",),
        data=embed({"shared": {}, "views": [_view(atlas, whole, names, "layer", "layer")]}),
        views=(),
        chooser="",
        caption=(
            "Every bar is a layer: the share of the maps of its heads that have each pattern, mean over documents. "
            f"Intervals, 95 % over documents, are in the table. Read: {atlas.text}."
        ),
        table=Table(("layer", *PATTERNS), tuple(_rows(whole, [(name,) for name in names]))),
    )


def _view(atlas: Atlas, shares: Estimate, names: Sequence[str], of: str, caption: str) -> dict[str, Any]:
    """The data of bars from `[bar, pattern]`."""
    columns: dict[str, Any] = {
        "at": np.repeat(names, len(PATTERNS)).tolist(),
        "pattern": list(PATTERNS) * len(names),
        "order": list(range(len(PATTERNS))) * len(names),
    }
    columns |= {field: rounded(getattr(shares, field)) for field in ("value", "low", "high")}
    columns["n"] = shares.n.ravel().tolist()
    constants = {"corpus": atlas.corpus, "measure": "pattern", "of": of, "unit": "share"}
    return {"columns": columns, "signals": {"caption": caption}, "constants": constants}


def _rows(shares: Estimate, names: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    for at, name in enumerate(names):
        yield (*name, *(written(number_at(shares, (at, kind))) for kind in range(shares.value.shape[1])))


def _texts(atlas: Atlas, seed: int, page: str) -> Table:
    """The whole model on every corpus that it read, and what uniform attention is on the same text."""

    def rows() -> Iterator[tuple[Cell, ...]]:
        documents = atlas.results.documents
        for corpus in corpora(documents, atlas.results.manifest.of(CorpusKind.TEXT)):
            own = documents[documents["corpus"] == corpus]
            read = own["document"].nunique()
            uniform = stored(atlas, "uniform", corpus=corpus)[list(PATTERN_COLUMNS)].mean()
            yield Cell(corpus), *_entries(mean_shares(own, seed)), count(read)
            yield Cell("uniform attention", note=corpus), *map(_share, uniform), count(read)

    return table("Shares by text", ("text", *PATTERNS, to_term("n", "n, documents", page)), rows())


def _entries(shares: Estimate) -> Iterator[Cell]:
    for at in range(len(shares.value)):
        yield cell(number_at(shares, (at,)))


def _share(value: float) -> Cell:
    return Cell(number(value))


def _own(atlas: Atlas) -> str:
    """By the statistic of a claim."""
    try:
        found = in_commonest(Evidence(atlas.results))
    except NotTestable:
        return ""
    return (
        f"Of a head's maps a share of {written(found)} is of its commonest "
        f"pattern, mean over heads (n {found.n} documents): 1 would be heads that never change, {1 / len(PATTERNS):g} "
        "heads that take all patterns equally often."
    )


def _heads(atlas: Atlas, page: str) -> Table:
    shares = atlas.stacked("value", PATTERN_COLUMNS)
    commonest = np.bincount(shares.argmax(-1).ravel(), minlength=len(PATTERNS))

    def rows() -> Iterator[tuple[Cell, ...]]:
        for at, name in enumerate(PATTERNS):
            own = shares[..., at].ravel()
            order = [int(place) for place in np.argsort(-own, kind="stable")[:TOP] if own[place] > 0]
            named = [_head(atlas, atlas.places[place], PATTERN_COLUMNS[at], page) for place in order]
            yield Cell(name), count(commonest[at]), *named, *[NOTHING] * (TOP - len(named))

    places = ("highest share", "second", "third")
    return table("Heads by pattern", ("pattern", f"commonest in, of {len(atlas.places)} heads", *places), rows())


def _head(atlas: Atlas, place: tuple[int, int], column: str, page: str) -> Cell:
    link = to_head(atlas.slug, *place, page)
    return Cell(link.text, link.href, written(atlas.estimates[column].of(*place)))


def _moved(atlas: Atlas, documents: pd.DataFrame, seed: int) -> Figure:
    uniform = stored(atlas, "uniform", corpus=atlas.corpus)
    steps = [f"{step:.2f}" for step in STEPS]
    views, rows = [], []
    for rule, (_, short, what) in VIEWS.items():
        shares = sweep(documents, uniform, rule, seed)
        views.append(_view(atlas, shares, steps, rule, f"cut-off on {what}"))
        rows += list(_rows(shares, [(short, step) for step in steps]))
    return Figure(
        id="cutoffs",
        label="Shares of the five patterns as the cut-offs move",
        kinds=("patterns",),
        data=embed({"shared": {}, "views": views}),
        views=tuple(Link(title, "") for title, _, _ in VIEWS.values()),
        chooser="What moves",
        caption=(
            f"Every bar is a cut-off; the one in use is {CUTOFFS.special:.2f}, in the middle, and all others stay as "
            "they are. In the last view a map is vertical by the one token that receives most attention, whatever it "
            "is; attention to that token from its neighbours then counts twice. Intervals, 95 % over documents, are "
            "in the table."
        ),
        table=Table(("what moves", "cut-off", *PATTERNS), tuple(rows)),
    )


def _split(atlas: Atlas) -> str:
    split = atlas.results.manifest.counts[atlas.corpus].get("split", 0)
    if not split:
        return ""
    return (
        f"{split} of {atlas.documents} documents were read in several inputs. Stored is the mean of these, and it is "
        "classed here as one map, so the bar in the middle differs a little from the shares above."
    )


def _published(whole: Estimate, page: str) -> Table:
    ours = dict(zip(PATTERNS, _entries(whole), strict=True))
    rows = [
        (Cell(name), _printed(published(key), page), Cell(of), Cell(published(key).place), ours[name])
        for name, key, of in PAPER
    ]
    return table("Published shares", ("pattern", "published", "of what", "where", "here, all maps"), rows)


def _printed(one: Published, page: str) -> Cell:
    return Cell(number(one.value), to_reference("kovaleva2019", "", page).href, one.trust)
