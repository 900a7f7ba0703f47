"""The context of a model's page on features and frames: what kinds of words receive attention, and what heads link."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from generator.claims import CLAIMS
from generator.claims.kovaleva.features import FEATURES as LINGUISTIC
from generator.claims.kovaleva.features import SPECIAL
from generator.corpora.kinds import CorpusKind
from generator.numbers.number import Number
from generator.numbers.writing import written
from generator.pages import addresses
from generator.pages.blocks import Cell, Figure, Link, Table
from generator.pages.features.contexts import FeaturesPage, KindsOfWords
from generator.pages.features.frames import frame_links
from generator.pages.features.tables import HeadRows, head_entry, head_rows, identical_words, strongest, word_links
from generator.pages.figures import embed, head_columns, rounded
from generator.pages.heads.atlas import Atlas
from generator.pages.links import head_name, to_claim, to_model, to_models, to_reference, to_term
from generator.pages.studies.tables import (
    NOTHING,
    by_name,
    corpora,
    count,
    measured,
    records,
    stored,
    table,
    title,
    with_interval,
)
from generator.studies.frames.features import FEATURES, STUDY

TITLE = "Features and frames"
JUDGED = ("K04", "K09", "K13", "K14", "K17")
"""Claims that these numbers decide."""
NAMES = {
    "noun": "nouns",
    "verb": "verbs",
    "pronoun": "pronouns",
    "subject": "subjects",
    "object": "objects",
    "negation": "negation",
    "punctuation": "punctuation",
    "begin": "begin token",
    "separator": "separators",
}
TERMS = {"punctuation": "punctuation", "begin": "begin-token", "separator": "separator"}
"""Words of the glossary; all others are linguistic features."""
SCORES = {"max": "the one that receives most", "mean": "all together"}
"""Of the grids."""


def there(atlas: Atlas) -> bool:
    """Whether one of the studies gave numbers of heads."""
    rows = atlas.results.table("head_facts")
    links = (rows["study"] == "words") & rows["name"].astype(str).str.startswith("link.")
    return bool((links | rows["study"].isin([STUDY, "matching", "frames"])).any())


def features_page(atlas: Atlas) -> FeaturesPage:
    """Kinds of words, links between words, identical words, frames."""
    here = addresses.features(atlas.slug)
    return FeaturesPage(
        models=to_models(here),
        model=to_model(atlas.slug, atlas.results.manifest.model, here),
        lead=_lead(atlas),
        source=to_reference("kovaleva2019", "Kovaleva et al. 2019", here),
        feature=to_term("linguistic-feature", "linguistic feature", here),
        frame=to_term("semantic-frame", "frame", here),
        kinds=tuple(_kinds(atlas, here)),
        links=tuple(word_links(atlas, here)),
        matching=tuple(identical_words(atlas, here)),
        frames=tuple(frame_links(atlas, here)),
        claims=tuple(to_claim(one.id, f"{one.id}: {one.title}", here) for one in CLAIMS if one.id in JUDGED),
    )


def _lead(atlas: Atlas) -> str:
    manifest = atlas.results.manifest
    heads, facts = (stored(atlas, name, study=STUDY) for name in ("head_facts", "facts"))
    parts = []
    for corpus in corpora(heads, manifest.of(CorpusKind.TREEBANK)):
        rows = heads[heads["corpus"] == corpus]
        words, special = (_most(rows, names) for names in (LINGUISTIC, SPECIAL))
        if words and special:
            parts.append(f"In {corpus}, one word of a linguistic feature receives up to {words}, one special token up ")
            parts[-1] += f"to {special} of all attention."
    facts = stored(atlas, "facts", study="matching", layer=0)
    for row in records(facts[facts["name"] == "best.matched.gain"].sort_values("corpus")):
        parts.append(
            f"In {row['corpus']}, the best head for identical words gives these {with_interval(row)} more than other "
            f"shared words (held-out, n {row['n']})."
        )
    facts = stored(atlas, "facts", study="frames", layer=0)
    for corpus in corpora(facts, manifest.of(CorpusKind.FRAMES)):
        found = by_name(facts[facts["corpus"] == corpus], "frames")
        if gain := found.get("element_to_target.best.gain"):
            parts.append(
                f"In {corpus}, the best head from frame elements to targets gains {with_interval(gain)} over other "
                f"words at the same distances (held-out, n {gain['n']})."
            )
    return " ".join(parts) or "What kinds of words receive attention, and what heads link."


def _most(rows: pd.DataFrame, features: tuple[str, ...]) -> str:
    """The head and feature with the largest score."""
    chosen = rows[rows["name"].isin([f"{name}.max" for name in features])].sort_values("name")
    for row in strongest(chosen, 1):
        feature = NAMES[row["name"].partition(".")[0]]
        return f"{with_interval(row)} ({feature}, head {head_name(row['layer'], row['head'])})"
    return ""


def _kinds(atlas: Atlas, page: str) -> Iterator[KindsOfWords]:
    heads, facts = (stored(atlas, name, study=STUDY) for name in ("head_facts", "facts"))
    for place, corpus in enumerate(corpora(heads, atlas.results.manifest.of(CorpusKind.TREEBANK)), start=1):
        of_heads = head_rows(heads[heads["corpus"] == corpus])
        of_layers = facts[facts["corpus"] == corpus]
        yield KindsOfWords(
            id=f"kinds-{place}",
            title=title(corpus),
            read=_read(atlas, corpus),
            grids=_grids(atlas, corpus, of_heads, place, page),
            largest=_by_layer(f"The token of a kind that receives most in {corpus}", of_layers, "max", page),
            together=_by_layer(f"All tokens of a kind in {corpus}", of_layers, "mean", page),
            begin=_begin_row(atlas, corpus, of_layers, of_heads, page),
        )


def _read(atlas: Atlas, corpus: str) -> str:
    counts = atlas.results.manifest.counts.get(corpus, {})
    return (
        f"{counts.get('sentences', 0):,} sentences of {counts.get('words', 0):,} words were read; a number is a mean "
        "over those that have a word of the kind, which n counts."
    )


def _grids(atlas: Atlas, corpus: str, rows: HeadRows, place: int, page: str) -> Figure:
    shown = [(name, score) for name in FEATURES for score in SCORES if f"{name}.{score}" in rows]
    arrays = {view: _columns(rows[".".join(view)], atlas) for view in shown}
    tops = {view: np.nanmax(arrays[view]["value"]) for view in shown}
    views = []
    for name, score in shown:
        numbers = arrays[name, score]
        alike = [tops[view] for view in shown if view[1] == score and (view[0] in SPECIAL) == (name in SPECIAL)]
        constants = {"measure": f"{name}.{score}", "corpus": corpus, "unit": "share", "n": int(numbers["n"].max())}
        columns = {field: rounded(numbers[field]) for field in ("value", "low", "high")}
        (top,) = rounded(np.array(max(alike)))
        views.append({"columns": columns, "signals": {"top": top}, "constants": constants})
    lines = ((head_name(*one), *(_cell(arrays[view], at) for view in shown)) for at, one in enumerate(atlas.places))
    return Figure(
        id=f"grid-{place}",
        label=f"Attention to kinds of words in {corpus}, layer by head",
        kinds=("grid",),
        data=embed({"shared": head_columns(atlas, page), "views": views}),
        views=tuple(_term(name, f"{NAMES[name].capitalize()}, {SCORES[score]}", page) for name, score in shown),
        chooser="Kind of word",
        caption=(
            "Each cell is a head: the share of all tokens' attention, special ones' included, mean over sentences of "
            f"{corpus}, with a 95 % interval over sentences; choose one for its page. Colour runs from 0 to the "
            "largest number of any head, one scale for all kinds of words and another for special tokens."
        ),
        table=Table(("head", *(f"{NAMES[name]}, {SCORES[score]}" for name, score in shown)), tuple(lines)),
    )


def _columns(rows: Mapping[tuple[int, int], Mapping[str, Any]], atlas: Atlas) -> dict[str, np.ndarray]:
    """`[head]` in the order of the atlas's places, by field."""
    nothing = {"value": np.nan, "low": np.nan, "high": np.nan, "n": 0}
    found = [rows.get(place, nothing) for place in atlas.places]
    return {field: np.array([row[field] for row in found]) for field in nothing}


def _cell(numbers: Mapping[str, np.ndarray], at: int) -> str:
    return written(Number(*(numbers[field][at] for field in Number._fields)))


def _by_layer(label: str, rows: pd.DataFrame, score: str, page: str) -> Table | None:
    """Means over each layer's heads, a column for every kind; `mean` below what uniform attention gives."""
    found = {(row["name"], row["layer"]): row for row in records(rows)}
    shown = [name for name in FEATURES if any(key[0] == f"{name}.{score}" and key[1] for key in found)]
    if not shown:
        return None
    layers = sorted({layer for name, layer in found if layer and name.endswith(f".{score}")})
    lines = [
        (Cell(str(layer)), *(measured(found.get((f"{name}.{score}", layer))) for name in shown)) for layer in layers
    ]
    if score == "mean":
        uniform = (measured(found.get((f"{name}.frequency", 0))) for name in shown)
        lines.insert(0, (Cell("share of tokens", note="uniform attention"), *uniform))
    first = [next(found[f"{name}.{score}", at] for at in layers if (f"{name}.{score}", at) in found) for name in shown]
    n = to_term("n", "n, sentences", page)
    lines.append((Cell(n.text, n.href), *(count(row["n"]) for row in first)))
    return table(label, ("layer", *(_term(name, NAMES[name], page) for name in shown)), lines)


def _begin_row(atlas: Atlas, corpus: str, rows: pd.DataFrame, heads: HeadRows, page: str) -> Table | None:
    last = atlas.shape[0]
    of_layer = {row["name"]: row for row in records(rows[rows["layer"] == last].dropna(subset="value"))}
    shown = [name for name in FEATURES if f"{name}.begin_row" in of_layer]
    if not shown:
        return None
    lines = []
    for name in sorted(shown, key=lambda one: -of_layer[f"{one}.begin_row"]["value"]):
        row = of_layer[f"{name}.begin_row"]
        own = [one for place, one in heads.get(f"{name}.begin_row", {}).items() if place[0] == last]
        top = strongest(pd.DataFrame(own), 1) if own else []
        best = (head_entry(atlas, top[0], page), measured(top[0])) if top else (NOTHING, NOTHING)
        lines.append((Cell(NAMES[name]), measured(row), *best, count(row["n"])))
    columns = ("kind", "mean over heads", "highest head", "its weight", to_term("n", "n, sentences", page))
    return table(f"From the begin token in layer {last}, largest weight by kind in {corpus}", columns, lines)


def _term(name: str, text: str, page: str) -> Link:
    return to_term(TERMS.get(name, "linguistic-feature"), text, page)
