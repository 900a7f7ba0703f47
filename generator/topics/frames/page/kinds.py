"""Sections of the page on features and frames about kinds of words: how much attention they receive, and where."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from generator.claims.bounds import fewest
from generator.corpora.treebank import TREEBANK
from generator.numbers.number import Number
from generator.numbers.quantity import Named
from generator.numbers.writing import listed, percent
from generator.pages.blocks import Figure, Note, Section, Table, first_title, present
from generator.pages.figures import DIGITS, by_head, head_table, head_views, number_columns
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cell, Link, Name
from generator.pages.links import head_name, to_term
from generator.pages.studies.tables import (
    NOTHING,
    by_name,
    corpora,
    count,
    head_grid,
    measured,
    of_name,
    stored,
    table,
    title,
)
from generator.pages.titles.heads import highest_seen
from generator.results.tables import records
from generator.topics.frames.claims import FEATURES as LINGUISTIC
from generator.topics.frames.claims import SPECIAL
from generator.topics.frames.page.tables import HeadRows, head_entry, head_rows, strongest
from generator.topics.frames.records import FEATURE, FEATURES, KINDS

TERMS = {"punctuation": "punctuation", "begin": "begin-token", "separator": "separator"}
"""Kind of word -> its entry in the glossary; all other kinds are linguistic features."""
ByQuantity = Mapping[str, pd.DataFrame]
"""Name of a number -> its rows, by layer and head."""
SCORES = {"max": "only the one that receives most", "mean": "all together"}
"""The scores that the grids show."""


def kinds_of_words(atlas: Atlas, page: str) -> Iterator[Section]:
    """For each treebank, how much attention kinds of words receive: by head, then by layer for each score."""
    heads, facts = (stored(atlas, name, study=FEATURE) for name in ("head_facts", "facts"))
    for place, corpus in enumerate(corpora(heads, atlas.results.manifest.of(TREEBANK)), start=1):
        own = heads[heads["corpus"] == corpus]
        of_heads = head_rows(own, FEATURE)
        of_layers = facts[facts["corpus"] == corpus]
        known = _by_quantity(of_layers)
        title_of = ("Kinds of words in ", Name(title(corpus)))
        grids = _grids(atlas, corpus, own, place, page)
        texts = present(most_attended(corpus, own) or None if place > 1 else None, _read(atlas, corpus))
        yield Section(f"kinds-{place}", title_of, (*texts, grids))
        yield from present(
            largest(corpus, of_layers, known, f"kinds-{place}-largest", page),
            together(corpus, of_layers, known, f"kinds-{place}-together", page),
            begin(atlas, corpus=corpus, rows=of_layers, heads=of_heads, anchor=f"kinds-{place}-begin", page=page),
        )


def most_attended(corpus: str, rows: pd.DataFrame) -> str:
    """The kinds of word and the special tokens that receive most of any head's attention, several where none surely
    receives more than another; "" without either.

    Punctuation, which may receive more than any kind of word, is left out as in the claims on these numbers.
    """
    words, special = (_most(rows, names) for names in (LINGUISTIC, SPECIAL))
    if not (words and special):
        return ""
    (head, kinds, share), (other, tokens, its_share) = words, special
    return (
        f"Punctuation aside, single {listed(kinds, 'or')} receive most: on average {share} of the attention of head "
        f"{head} in {corpus}; a kind of more words reaches more. Of special tokens, {listed(tokens, 'or')} receives "
        f"most: {its_share} of the attention of head {other}."
    )


def _most(rows: pd.DataFrame, features: Sequence[str]) -> tuple[str, list[str], str] | None:
    """Head and share of the largest score, and the features of which the largest score may be as large; a feature that
    fewer sentences have than a claim asks for is left out.
    """
    chosen = of_name(rows, FEATURE, *(f"{name}.max" for name in features)).sort_values("name")
    chosen = chosen[chosen["n"] >= fewest("sentences")]
    if not len(first := strongest(chosen, 1)):
        return None
    best = [row for _, found in chosen.groupby("name") for row in strongest(found, 1)]
    best.sort(key=lambda row: -row["value"])
    most = Number.of(first[0])
    as_large = [KINDS[row["name"].partition(".")[0]] for row in best if not Number.of(row).high < most.low]
    return head_name(first[0]["layer"], first[0]["head"]), as_large, percent(most)


def largest(corpus: str, rows: pd.DataFrame, known: ByQuantity, anchor: str, page: str) -> Section | None:
    """By layer, the attention to the token of a kind that receives most; None if nothing is stored."""
    found = _by_layer(f"The token of a kind that receives most in {corpus}", rows, known, "max", page)
    note = Note(
        "The paper's score: the share of all tokens' attention that goes to one token, the one of its kind that "
        "receives most; mean over a layer's heads. It grows with the number of such tokens, so compare kinds only "
        "with the next table beside it. A kind of which no sentence has more than one token is in the next table "
        "alone, because both numbers would be the same."
    )
    return Section(anchor, "The token that receives most", (found, note), level=3) if found else None


def together(corpus: str, rows: pd.DataFrame, known: ByQuantity, anchor: str, page: str) -> Section | None:
    """By layer, the attention to all tokens of a kind together, and the share of tokens that they are; None if nothing
    is stored.
    """
    found = _by_layer(f"All tokens of a kind in {corpus}", rows, known, "mean", page)
    note = Note(
        "Attention to all tokens of the kind together, mean over a layer's heads. The first row says what share of "
        "all tokens they are: uniform attention would give them as much. Intervals are over sentences."
    )
    return Section(anchor, "All tokens of a kind", (found, note), level=3) if found else None


def _read(atlas: Atlas, corpus: str) -> str:
    counts = atlas.results.manifest.counts.get(corpus, {})
    return (
        f"{counts.get('sentences', 0):,} sentences of {counts.get('words', 0):,} words were read. A number is a mean "
        "over the sentences that have a word of the kind; n counts these."
    )


def _grids(atlas: Atlas, corpus: str, rows: pd.DataFrame, place: int, page: str) -> Figure:
    known = _by_quantity(rows)
    names = {(name, score): FEATURE.quantity(f"{name}.{score}").name for name in FEATURES for score in SCORES}
    grids = {view: head_grid(known[name], atlas.shape) for view, name in names.items() if name in known}
    single = [name for name in FEATURES if _is_single(known, name)]
    for name in single:
        grids.pop((name, "mean"))
    tops = {view: np.nanmax(numbers.value) for view, numbers in grids.items()}
    headings = {view: KINDS[view[0]] + f" ({SCORES[view[1]]})" * (view[0] not in single) for view in grids}
    views = []
    for (name, score), grid in grids.items():
        alike = [top for view, top in tops.items() if view[1] == score and (view[0] in SPECIAL) == (name in SPECIAL)]
        constants = {"measure": f"{name}.{score}", "corpus": corpus, "unit": "share", "n": int(grid.n.max())}
        top = round(float(max(alike)), DIGITS)
        seen = highest_seen(f"In {corpus}, attention to {headings[name, score]}", by_head(atlas, grid), "share")
        views.append({"columns": number_columns(grid), "signals": {"top": top}, "constants": constants, "title": seen})
    choices = tuple(_term(name, f"{text[0].upper()}{text[1:]}", page) for (name, _), text in headings.items())
    return Figure(
        id=f"grid-{place}",
        label=first_title(views),
        kinds=("grid",),
        data=head_views(atlas, page, views),
        views=choices,
        chooser="Kind of word",
        caption=(
            "Each cell is a head: the share of the attention of all tokens, special ones included, that goes to the "
            f"chosen kind, mean over sentences of {corpus}; 95 % intervals over sentences are in the table. Choose a "
            "cell for the page of its head. Colour runs from 0 "
            "to the largest number of any head, on one scale for all kinds of words and another for special tokens."
        ),
        table=head_table(atlas, {text: grids[view] for view, text in headings.items()}),
    )


def _by_quantity(rows: pd.DataFrame) -> ByQuantity:
    places = [axis for axis in ("layer", "head") if axis in rows]
    return {str(name): found for name, found in rows.sort_values(places, kind="stable").groupby("name")}


def _is_single(known: ByQuantity, name: str) -> bool:
    """Whether no sentence has more than one token of the kind, so that both scores are the same number."""
    most, every = (known.get(FEATURE.quantity(f"{name}.{score}").name) for score in SCORES)
    if most is None or every is None or len(most) != len(every):
        return False
    return np.allclose(most["value"], every["value"], rtol=1e-6, atol=0, equal_nan=True)


def _by_layer(label: str, rows: pd.DataFrame, known: ByQuantity, score: str, page: str) -> Table | None:
    """Means over each layer's heads, a column for every kind; for `mean` a first row has uniform attention. None
    without kinds.
    """
    by_kind = {name: known.get(FEATURE.quantity(f"{name}.{score}").name) for name in FEATURES}
    found = {
        name: {row["layer"]: row for row in records(numbers)}
        for name, numbers in by_kind.items()
        if numbers is not None and not (score == "max" and _is_single(known, name))
    }
    shown = list(found)
    if not shown:
        return None
    layers = sorted({layer for by_layer in found.values() for layer in by_layer})
    lines = [(Cell(str(layer)), *(measured(found[name].get(layer)) for name in shown)) for layer in layers]
    if score == "mean":
        whole = by_name(rows, FEATURE)
        uniform = (measured(whole.get(f"{name}.frequency")) for name in shown)
        lines.insert(0, (Cell("share of tokens", note="uniform attention"), *uniform))
    first = [next(found[name][at] for at in layers if at in found[name]) for name in shown]
    n = to_term("n", "n, sentences", page)
    lines.append((Cell(n.text, n.href), *(count(row["n"]) for row in first)))
    return table(label, ("layer", *(_term(name, KINDS[name], page) for name in shown)), lines)


def begin(atlas: Atlas, corpus: str, rows: pd.DataFrame, heads: HeadRows, anchor: str, page: str) -> Section | None:
    """The begin token's row in the last layer; None if it is not stored."""
    last = atlas.shape[0]
    in_last = records(rows[rows["layer"] == last].dropna(subset="value"))
    of_layer = Named(FEATURE, {row["name"]: row for row in in_last})
    shown = [name for name in FEATURES if f"{name}.begin_row" in of_layer]
    if not shown:
        return None
    lines = []
    for name in sorted(shown, key=lambda kind: -of_layer[f"{kind}.begin_row"]["value"]):
        row = of_layer[f"{name}.begin_row"]
        own = [record for place, record in heads.get(f"{name}.begin_row", {}).items() if place[0] == last]
        top = strongest(pd.DataFrame(own), 1) if own else []
        best = (head_entry(atlas, top[0], page), measured(top[0])) if top else (NOTHING, NOTHING)
        lines.append((Cell(KINDS[name]), measured(row), *best, count(row["n"])))
    columns = ("kind", "mean over heads", "highest head", "its weight", to_term("n", "n, sentences", page))
    found = table(f"From [CLS] in layer {last}, largest weight by kind in {corpus}", columns, lines)
    note = Note(
        "The largest weight from [CLS] to a token of the kind, mean over sentences. The paper's models are "
        "fine-tuned; its inputs, except those of SST-2, have two [SEP], and the inputs here have one."
    )
    return Section(anchor, "From [CLS], in the last layer", (found, note), level=3)


def _term(name: str, text: str, page: str) -> Link:
    return to_term(TERMS.get(name, "linguistic-feature"), text, page)
