"""When a head formed, for its own page: a sentence on when it had made half of its main change, and a small curve."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from markupsafe import Markup

from generator.claims.gate.statement import Place
from generator.corpora.relation_names import with_label
from generator.numbers.number import alone
from generator.numbers.writing import percent
from generator.pages import addresses
from generator.pages.heads.of_head import OfHead
from generator.pages.heads.summary import TARGETS
from generator.pages.inline import Link, Prose
from generator.topics.learning.page.data import ENTROPY, Course, Row, change_text, span_text, step_text
from generator.topics.learning.page.found import learned_relations
from generator.topics.learning.records.curves import MEASURE, RELATIONS

WIDTH, HEIGHT = 100, 20
"""The size of the drawing, in its own units."""
MOST = 1
"""How many relations are mentioned."""
TARGET = {target.kind: target for target in TARGETS}


@dataclass(frozen=True)
class Spark:
    """A number against the step, as the path of a small drawing."""

    line: str

    def __html__(self) -> str:
        """The drawing as HTML; a sentence beside it says the same."""
        return Markup(
            '<svg class="fg-spark" viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true">'
            '<path d="{}"/></svg> '
        ).format(self.line)


class Histories(OfHead):
    """The course of training of every head of one model."""

    @cached_property
    def _course(self) -> Course | None:
        return Course(self.atlas) if len(self.atlas.results.table("curves")) else None

    @cached_property
    def _found(self) -> Mapping[str, Place]:
        return learned_relations(self._course) if self._course else {}

    def opening(self, layer: int, head: int, page: str) -> Prose | None:
        """A sentence and a small curve on the training of one head, 1-based; None if the model has no checkpoints, or
        too few numbers of this head.
        """
        if self._course is None:
            return None
        target = TARGET.get(self.atlas.summaries[layer, head].first)
        name = target.column if target else ENTROPY
        line = self._line(name, layer, head)
        rise = self._course.rise(MEASURE, name, layer, head)
        if not line or rise is None:
            return None
        what = f"its attention to {target.words}" if target else "its entropy"
        went = _shares(rise) if target else f"{change_text(rise)} nats"
        text = f"In training {what} went {went}{self._course.inputs}"
        if np.isnan(rise["step"]):
            text += ", which is no change beyond doubt."
        else:
            text += f"; half of this change was made by step {step_text(rise['step'])}"
            text += f" ({span_text(rise['low'], rise['high'])})." if rise["low"] < rise["high"] else "."
        found = self._relations(layer, head)
        address = addresses.relative(addresses.curve(self.atlas.slug), page)
        return Spark(line), " ".join([text, *found]), " See its model's ", Link("learning curve", address), "."

    def _relations(self, layer: int, head: int) -> list[str]:
        """Sentences on relations that the head finds and surely learned in training: first the one that names it, then
        those with the largest change.
        """
        assert self._course is not None, "only a model with checkpoints has relations in time"
        found = [
            (name, rise)
            for (name, *_), rise in self._course.rises(RELATIONS).items()
            if self._found.get(name) == (layer, head) and not np.isnan(rise["step"])
        ]
        own = self.atlas.summaries[layer, head].found
        named = own.relation if own else ""
        found.sort(key=lambda pair: (pair[0] != named, -abs(pair[1]["end"] - pair[1]["start"]), pair[0]))
        return [
            f"Its accuracy on {with_label(name)} went {_shares(rise)} in {self._course.corpus(RELATIONS)}; half of "
            f"this change was made by step {step_text(rise['step'])}."
            for name, rise in found[:MOST]
        ]

    def _line(self, name: str, layer: int, head: int) -> str:
        """The path of a curve: 0 is at the bottom, the largest number at the top; steps lie as on the curve's page."""
        assert self._course is not None, "only a model with checkpoints has a line"
        found = self._course.heads(name)
        if found is None:
            return ""
        values = found.value[:, layer - 1, head - 1]
        defined = ~np.isnan(values)
        if defined.sum() < 2 or values[defined].max() <= 0:
            return ""
        steps = np.log(self._course.places(np.array(self._course.steps)[defined]))
        across = WIDTH * (steps - steps[0]) / (steps[-1] - steps[0])
        up = HEIGHT * (1 - values[defined] / values[defined].max())
        x, y = np.rint(across).astype(int), np.rint(up).astype(int)
        turns = np.ones(len(y), bool)
        turns[1:-1] = (y[:-2] != y[1:-1]) | (y[1:-1] != y[2:])
        return "M" + "L".join(f"{x},{y}" for x, y in zip(x[turns].tolist(), y[turns].tolist(), strict=True))


def _shares(rise: Row) -> str:
    """The shares at which a curve started and ended, as words of a sentence."""
    return f"from {percent(alone(rise['start']))} to {percent(alone(rise['end']))}"


OF_HEADS = Histories
