"""The figure of a head's maps of example sentences."""

from collections.abc import Iterator

import numpy as np

from generator.numbers.pieces import readable
from generator.numbers.writing import number
from generator.pages.blocks import Figure, Table
from generator.pages.figures import embed
from generator.pages.heads.atlas import Atlas, Example
from generator.pages.inline import Link, Prose, Token
from generator.pages.links import head_name

THOUSAND = np.array([f"{number},".encode() for number in range(1001)], "S5").view(np.uint8).reshape(-1, 5)
"""The whole numbers from 0 to 1000, each as five bytes: its digits and a comma, then zeros."""


def maps_figure(atlas: Atlas, layer: int, head: int) -> Figure:
    """The head's maps of the example sentences; the table is that of the sentence shown."""
    examples = [*atlas.examples[layer, head], *atlas.deciles.get((layer, head), ())]
    weights = [np.rint(example.weights * 1000).astype(int).ravel() for example in examples]
    names = [{"tokens": example.tokens, **_labels(example)} for example in examples]
    views = ",".join(
        f'{embed(named)[:-1]},"weights":[{_listed(found)}]}}' for named, found in zip(names, weights, strict=True)
    )
    return Figure(
        id="maps",
        label=f"Attention maps of head {head_name(layer, head)} on example sentences",
        kinds=("map", "lines"),
        data=f'{{"grid":true,"views":[{views}]}}',
        first={**names[0], "weights": weights[0]},
        views=tuple(Link(example.text, "") for example in examples),
        chooser="Sentence",
        caption=(
            "Attention from each query (row) to each key (column), then the same as lines, none below 0.02; "
            "point at a token on the left to see its lines alone. One sentence shows what a head can do, not what it "
            "usually does; those of the strongest, middle and weakest tenth are chosen by how strongly this head "
            "attends in them."
        ),
        table=Table(("query", "largest weight"), tuple(_strongest(examples[0]))),
    )


def _listed(thousandths: np.ndarray) -> str:
    """Whole numbers from 0 to 1000 as text, with commas between them: a head's page has thousands."""
    marks = THOUSAND[thousandths].ravel()
    return marks[marks > 0].tobytes().decode()[:-1]


def _labels(example: Example) -> dict[str, list[str]]:
    """The tokens as people read them, under the key `labels`; empty if these are the stored pieces."""
    labels = [readable(token) for token in example.tokens]
    return {} if labels == example.tokens else {"labels": labels}


def _strongest(example: Example) -> Iterator[tuple[Prose, Prose]]:
    """Each query with the key that gets most of its attention."""
    names = [token if readable(token) == token else Token(token) for token in example.tokens]
    first = example.weights.argmax(1)
    most = np.take_along_axis(example.weights, first[:, None], 1)[:, 0].tolist()
    for token, key, weight in zip(names, first.tolist(), most, strict=True):
        name = names[key]
        yield token, f"{name} {number(weight)}" if isinstance(name, str) else (name, f" {number(weight)}")
