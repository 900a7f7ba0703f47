"""In Chromium: arcs and small maps are those that writers of pages draw, and a head's numbers are its measures."""

from html import escape
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from generator.charts.static.arcs import FAINT, Arc, Line, arcs
from generator.corpora.classes import CLASS_OF, TokenClass
from generator.pages.heads.arcs import OF_CLASS
from generator.topics.layers.page.patterns.maps import _shades
from generator.topics.live.page.usual import TOLD
from generator.visible import visible

pytestmark = pytest.mark.browser
OF = {kind: name for name, kind in OF_CLASS.items()}
SENTENCES = {
    "plain": ("The", "committee", "rejected", "it", "."),
    "marked": ("<b>", "&amp;", '"quoted"', "a\u202eb", "\x1b[31m"),
    "scripts": ("中文", "日本", "한국어", "русский", "مرحبا", "W@m", "😀"),
    "long": ("antidisestablishmentarianism", "i", "antidisestablishm", "antidisestablis"),
    "one": ("word",),
}
COMPARE = """
async ({ line, label, drawn }) => {
  const { arcs } = await import("./drawings.js"), beside = document.createElement("div");
  const dimmed = new Set(line.dimmed), made = arcs({ ...line, dimmed }, label);
  beside.innerHTML = drawn;
  beside.firstChild.setAttribute("style", beside.firstChild.getAttribute("style"));
  return [made.outerHTML, beside.firstChild.outerHTML];
}
"""
LINE = """
async ([read, head]) => {
  const { lineOf } = await import("./drawings.js");
  const { words, arcs, dimmed, found, split } = lineOf(read, { kind: "none", looks: [], ...head });
  return { words, arcs, dimmed: [...dimmed], found, split };
}
"""
SHARES = """
async ({ measures, classes, map }) => {
  const { share } = await import("./drawings.js");
  return measures.map((one) => share(one, classes, map));
}
"""


def weights(size: int) -> np.ndarray:
    """Rows that sum to one, some of them peaked."""
    drawn = np.random.default_rng(size).dirichlet(np.full(size, 0.3), size)
    return drawn.round(3)


@pytest.mark.parametrize("name", SENTENCES)
@pytest.mark.parametrize("named", [0, 1, 3])
def test_arcs_are_those_that_pages_have(drawings: Page, name: str, named: int) -> None:
    words, size = SENTENCES[name], len(SENTENCES[name])
    found = weights(size)
    pairs = [(q, k) for q in range(size) for k in range(size) if found[q, k] >= FAINT]
    coloured = [pair for pair in pairs if pair[0] != pair[1]][:named]
    hues = dict.fromkeys(coloured[1:], "begin")
    lines = [Arc(q, k, float(found[q, k]), (q, k) in coloured, hues.get((q, k), "")) for q, k in pairs]
    line = Line([*map(visible, words)], lines, "previous", frozenset({0}))
    given = {"words": words, "arcs": [one._asdict() for one in lines], "kind": "previous", "dimmed": [0]}
    made, drawn = drawings.evaluate(
        COMPARE, {"line": given, "label": "A <label>", "drawn": visible(arcs(line, "A <label>"))}
    )
    assert made == drawn


@pytest.mark.parametrize("size", [1, 5, 30])
def test_small_maps_are_those_that_pages_have(drawings: Page, size: int) -> None:
    found = weights(size)
    script = "async ([map, size]) => (await import('./drawings.js')).smallMap(map, size, 'a map').innerHTML"
    paths = "".join(f'<path opacity="{shade.opacity}" d="{escape(shade.path)}"></path>' for shade in _shades(found))
    assert drawings.evaluate(script, [found.ravel().tolist(), size]) == paths


def test_numbers_of_a_sentence_are_those_of_the_measures(drawings: Page) -> None:
    tokens = ["[CLS]", "the", "cat", ",", "sat", ".", "[SEP]"]
    size, found = len(tokens), weights(7)
    classes = [CLASS_OF.get(token, TokenClass.OTHER) for token in tokens]

    def slow(measure: str) -> float:
        at = {"attention.previous": -1, "attention.self": 0, "attention.next": 1}
        kinds = {"cls": TokenClass.BEGIN, "sep": TokenClass.SEPARATOR, "punctuation": TokenClass.PUNCTUATION}
        if measure == "attention.max":
            return sum(max(row) for row in found) / size
        total = 0.0
        for query in range(size):
            for key in range(size):
                is_it = key - query == at[measure] if measure in at else classes[key] == kinds[measure.split(".")[1]]
                total += found[query, key] if is_it else 0
        return total / size

    measures = list(TOLD)
    names = [None if kind is TokenClass.OTHER else OF[kind] for kind in classes]
    told = drawings.evaluate(SHARES, {"measures": measures, "classes": names, "map": found.ravel().tolist()})
    assert told == pytest.approx([slow(measure) for measure in measures])


@pytest.mark.parametrize(
    ("value", "share"),
    [(0.0, 0), (0.05, 0), (0.1, 0.125), (0.15, 0.25), (0.2, 0.5), (0.3, 0.5625), (1.0, 1), (1.1, 1)],
)
def test_the_share_of_documents_below_is_read_between_quantiles(drawings: Page, value: float, share: float) -> None:
    quantiles = [0.05, 0.15, 0.2, 0.6, 1.0]
    script = "async ([value, quantiles]) => (await import('./drawings.js')).rank(value, quantiles)"
    assert drawings.evaluate(script, [value, quantiles]) == pytest.approx(share)


SPLIT = {
    "tokens": ["[CLS]", "re", "##jected", "it", "[SEP]"],
    "words": [-1, 0, 0, 1, -1],
    "names": ["rejected", "it"],
    "classes": ["attention.cls", None, None, None, "attention.sep"],
}
WEIGHTS = {(1, 3): 0.4, (2, 3): 0.2, (3, 1): 0.1, (3, 2): 0.5, (3, 3): 0.3, (0, 4): 0.9}


@pytest.mark.parametrize("head", [{"finds": {"words": "objects"}}, {"looks": ["attention.previous"]}, {}], ids=str)
def test_words_are_whole_whatever_the_head(drawings: Page, head: dict[str, Any]) -> None:
    """A split word gets the sum of what its pieces get, and gives the mean of what they give."""
    found = line(drawings, WEIGHTS, head)
    assert (found["words"], found["split"], found["dimmed"]) == (["rejected", "it"], True, [])
    drawn = {(one["start"], one["end"]): (round(one["weight"], 9), one["named"]) for one in found["arcs"]}
    finds, looks = "finds" in head, "looks" in head
    assert drawn == {(0, 1): (0.3, finds), (1, 0): (0.6, finds or looks), (1, 1): (0.3, False)}
    assert len(found["found"]) == 2 * finds


@pytest.mark.parametrize(
    ("head", "weight", "shown"),
    [({}, 0.11, False), ({}, 0.09, True), ({"looks": ["attention.sep"]}, 0.11, True)],
    ids=["seen", "unseen", "spoken of"],
)
def test_special_tokens_are_drawn_if_a_name_speaks_of_them_or_nothing_is_seen(
    drawings: Page, head: dict[str, Any], weight: float, shown: bool
) -> None:
    """A weight just on both sides of what is drawn."""
    found = line(drawings, {(3, 1): weight, (3, 4): 0.8}, head)
    assert found["words"] == (["[CLS]", "rejected", "it", "[SEP]"] if shown else ["rejected", "it"])
    assert found["dimmed"] == ([0, 3] if shown else [])
    assert [one["named"] for one in found["arcs"] if one["end"] == 3] == ([bool(head)] if shown else [])


def line(drawings: Page, weights: dict[tuple[int, int], float], head: dict[str, Any]) -> dict[str, Any]:
    """What is drawn of the split sentence with these weights between tokens."""
    maps = [0.0] * 25
    for (query, key), weight in weights.items():
        maps[query * 5 + key] = weight
    found: dict[str, Any] = drawings.evaluate(LINE, [SPLIT | {"maps": maps}, head])
    return found
