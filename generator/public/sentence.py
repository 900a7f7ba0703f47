"""A sentence with a head's arcs, as the page of the head shows it, below a cell of a notebook."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from generator.attention.given import ROUNDED
from generator.charts.static.arcs import FAINT, Arc, Line, standing
from generator.corpora.classes import ADDED, CLASS_OF
from generator.errors import CorpusError, ResultsError
from generator.numbers.pieces import readable
from generator.pages.heads.arcs import ALL, GREY, drawn_of
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import plain
from generator.pages.links import head_name
from generator.public import html
from generator.public.choices import among
from generator.public.memory import layers_of
from generator.results.store import Results

COLOURED = "previous"
"""The kind of head whose colour arcs have where nothing is known of a head but its weights."""

SPECIAL = "Grey: from or to special tokens."


@dataclass(frozen=True)
class Arcs:
    """A sentence and who looks at whom in it; the last expression of a cell shows it."""

    svg: str
    """The picture, which stands alone."""
    text: str
    """What it shows, in words."""

    def __repr__(self) -> str:
        return f"<Arcs: {self.text}>"

    def _repr_html_(self) -> str:
        return html.box(html.POINTED, Markup(self.svg), html.line(self.text))  # noqa: S704 - its writer escapes

    def save(self, path: str | Path) -> Path:
        """Write the picture to an SVG file; returns its path."""
        Path(path).write_text(self.svg, encoding="utf-8")
        return Path(path)


def arcs(of: Any, head: str, *, sentence: int = 1, tokens: Sequence[str] | None = None) -> Arcs:
    """A sentence with the arcs of a `head`, which is named as in the papers: "3-2".

    Of results it is one `sentence` of those that the page of the head shows, counted from 1. Of attentions in memory,
    with the `tokens` of one sentence, it is that sentence: a tuple as a model of transformers returns it, or an
    `ActivationCache`; padding on the right is left out. Raises SettingsError for what does not exist, ResultsError
    where no sentence may be shown, and CorpusError for weights that are none of these tokens.
    """
    return _of_results(of, head, sentence) if isinstance(of, Results) else _of_weights(of, head, tokens or ())


def _of_results(results: Results, head: str, sentence: int) -> Arcs:
    atlas = Atlas(results)
    places = {head_name(*place): place for place in atlas.places}
    place = places[among(head, places, "a head")]
    drawn = drawn_of(atlas, *place)
    if not drawn:
        raise ResultsError(f"Expected a sentence of head {head} that may be shown, found none; choose another head.")
    shown = drawn[among(sentence, range(1, len(drawn) + 1), "a sentence") - 1]
    coloured = GREY if any(arc.named for arc in shown.line.arcs) else ""
    row = (f"Head {head} {atlas.summaries[place].title}.", plain(shown.seen), shown.caption, coloured)
    return Arcs(standing(shown.line, " ".join(shown.line.words)), " ".join(filter(None, row)))


def _of_weights(attentions: Any, head: str, tokens: Sequence[str]) -> Arcs:
    layers = layers_of(attentions, [tokens])
    names = {head_name(at + 1, of + 1): (at, of) for at, layer in enumerate(layers) for of in range(layer.shape[1])}
    at, of = names[among(head, names, "a head")]
    rows, n = layers[at][0, of, : len(tokens)], len(tokens)
    weights, beyond = rows[:, :n], rows[:, n:]
    if beyond.sum(-1).max() > ROUNDED:
        raise CorpusError(
            f"Expected {n} tokens that attend to each other, found that they attend to {beyond.shape[1]} more after "
            "them; give all tokens, special ones included, and weights of a padded batch that has its attention mask."
        )
    special = {place for place, token in enumerate(tokens) if CLASS_OF.get(token) in ADDED}
    drawn = [
        Arc(query, key, float(weights[query, key]), not {query, key} & special)
        for query, key in zip(*(places.tolist() for places in (weights >= FAINT).nonzero()), strict=True)
        if query != key
    ]
    line = Line([readable(token) for token in tokens], drawn, COLOURED, frozenset(special))
    return Arcs(standing(line, " ".join(line.words)), f"Head {head}. {ALL} {SPECIAL}")
