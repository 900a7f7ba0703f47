"""The figure of a head's maps of example sentences."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from generator.corpora.classes import CLASS_OF
from generator.numbers.number import alone
from generator.numbers.pieces import readable
from generator.numbers.writing import number, percent
from generator.pages.blocks import Figure, Table, first_title
from generator.pages.figures import embed
from generator.pages.heads.atlas import Atlas, Example
from generator.pages.inline import Link, Prose, Token
from generator.pages.links import head_name


def maps_figure(atlas: Atlas, layer: int, head: int) -> Figure:
    """The head's maps of the example sentences; the table is that of the sentence shown."""
    examples = [*atlas.examples[layer, head], *atlas.deciles.get((layer, head), ())]
    views = [
        {
            "tokens": example.tokens,
            **_labels(example),
            "weights": np.rint(example.weights * 1000).astype(int).ravel(),
            "title": _seen(head_name(layer, head), example),
        }
        for example in examples
    ]
    return Figure(
        id="maps",
        label=first_title(views),
        kinds=("map",),
        data=embed({"grid": True, "views": views}),
        first=views[0],
        views=tuple(Link(example.text, "") for example in examples),
        chooser="Sentence",
        caption=(
            "Each row is a query, each column a key. One sentence shows what a head can do, not what it usually does; "
            "the tenths rank sentences by how strongly this head attends in them."
        ),
        table=Table(("query", "largest weight"), tuple(_strongest(examples[0]))),
    )


def _seen(head: str, example: Example) -> str:
    """The pair of tokens with most weight, of those that begin at no special token, period or comma and end at what the
    first looks at most; those that end at no such token either are preferred.
    """
    pairs, every, names = _read(tuple(example.tokens))
    if not len(every):
        return f"Attention of head {head}"
    weights = example.weights.ravel()
    most_of_row = (example.weights == example.weights.max(1, keepdims=True)).ravel()
    shown = pairs[most_of_row[pairs]]
    shown = shown if len(shown) else every[most_of_row[every]]
    most = int(shown[weights[shown].argmax()])
    query, key = divmod(most, len(names))
    what = "itself" if query == key else f"\u201c{names[key]}\u201d"
    share = percent(alone(float(weights[most])))
    return f"In head {head}, \u201c{names[query]}\u201d gives {what} {share} of its attention"


def _labels(example: Example) -> dict[str, list[str]]:
    """The tokens as people read them, under the key `labels`; empty if these are the stored pieces."""
    *_, labels = _read(tuple(example.tokens))
    return {} if labels == example.tokens else {"labels": labels}


@lru_cache(maxsize=256)
def _read(tokens: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Of a sentence, which all heads read: where a flat map has pairs of ordinary tokens, and pairs of one with any
    token; and all tokens as people read them.
    """
    ordinary = np.array([at for at, token in enumerate(tokens) if token not in CLASS_OF], int)
    starts = len(tokens) * ordinary
    pairs = (np.add.outer(starts, ends).ravel() for ends in (ordinary, np.arange(len(tokens))))
    return *pairs, list(map(readable, tokens))


def _strongest(example: Example) -> Iterator[tuple[Prose, Prose]]:
    """Each query with the key that gets most of its attention."""
    names = [token if readable(token) == token else Token(token) for token in example.tokens]
    first = example.weights.argmax(1)
    for token, key, weight in zip(names, first.tolist(), example.weights.max(1).tolist(), strict=True):
        name = names[key]
        yield token, f"{name} {number(weight)}" if isinstance(name, str) else (name, f" {number(weight)}")
