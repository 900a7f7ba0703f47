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
    """The pair of tokens with most weight, of those of which neither is special, a period or a comma."""
    pairs, names = _read(tuple(example.tokens))
    if not len(pairs):
        return f"Attention of head {head}"
    weights = example.weights.ravel()
    most = int(pairs[weights[pairs].argmax()])
    query, key = divmod(most, len(names))
    what = "itself" if query == key else f"\u201c{names[key]}\u201d"
    share = percent(alone(float(weights[most])))
    return f"In head {head}, \u201c{names[query]}\u201d gives {what} {share} of its attention"


def _labels(example: Example) -> dict[str, list[str]]:
    """The tokens as people read them, under the key `labels`; empty if these are the stored pieces."""
    labels = _read(tuple(example.tokens))[1]
    return {} if labels == example.tokens else {"labels": labels}


@lru_cache(maxsize=256)
def _read(tokens: tuple[str, ...]) -> tuple[np.ndarray, list[str]]:
    """Of a sentence, which all heads read: where a flat map has pairs of ordinary tokens, and all tokens as people read
    them.
    """
    ordinary = np.array([at for at, token in enumerate(tokens) if token not in CLASS_OF], int)
    return np.add.outer(len(tokens) * ordinary, ordinary).ravel(), list(map(readable, tokens))


def _strongest(example: Example) -> Iterator[tuple[Prose, Prose]]:
    """Each query with the key that gets most of its attention."""
    names = [token if readable(token) == token else Token(token) for token in example.tokens]
    first = example.weights.argmax(1)
    for token, key, weight in zip(names, first.tolist(), example.weights.max(1).tolist(), strict=True):
        name = names[key]
        yield token, f"{name} {number(weight)}" if isinstance(name, str) else (name, f" {number(weight)}")
