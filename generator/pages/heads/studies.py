"""What the studies say of one head: relations it tracks, antecedents it finds, whether its weights can be believed."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from generator.claims.cutoffs import CLEAR_GAIN
from generator.numbers.number import Number, alone
from generator.numbers.quantity import Named, Study
from generator.numbers.resampling import proportion
from generator.numbers.writing import number, percent, pieces
from generator.pages import addresses
from generator.pages.blocks import Block, Section
from generator.pages.curve.history import Histories
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cells, Link
from generator.pages.studies.tables import table
from generator.pages.tasks.results import Effects
from generator.studies.gradients.quantities import GRADIENT
from generator.studies.halves import SAME_DATA
from generator.studies.mentions.antecedents import BEST
from generator.studies.mentions.quantities import ANTECEDENTS
from generator.studies.syntax.names import DIRECTION_IN_WORDS, with_label
from generator.studies.syntax.relations import ALL, FEW_WORDS

MOST = 4
"""Relations that are listed."""
AGREE = 0.15
"""Share of the attention by which weight and norm of a class may differ to count as one picture."""
CLASSES = (
    ("[CLS]", "cls"),
    ("[SEP]", "sep"),
    ("periods and commas", "punctuation"),
    ("other tokens", "other"),
)


class _Relation(NamedTuple):
    relation: str
    direction: str
    correct: int
    n: int
    offset: int
    baseline: float


class HeadStudies:
    """The studies of one model, arranged by head; made once for all of its pages."""

    def __init__(self, atlas: Atlas) -> None:
        self._atlas = atlas
        self._corpus = ""
        self._tried = False
        self._tracked = self._relations()
        self._antecedents = self._by_head(ANTECEDENTS)
        self._rules = self._best_rules()
        self._gradients = self._by_head(GRADIENT, self._atlas.corpus)
        self._effects = Effects(atlas)
        special = atlas.special_tokens
        self._words = {name: words for words, name in CLASSES} | {
            name: special[kind] for name, kind in (("cls", "begin"), ("sep", "separator")) if kind in special
        }
        self.histories = Histories(atlas)

    def tracked(self, layer: int, head: int, page: str) -> Section | None:
        """What this head finds, or None where the model read no treebank."""
        if not self._tracked:
            return None
        found = self._tracked.get((layer, head), [])
        more = Link("all relations", addresses.relative(addresses.relations(self._atlas.slug), page))
        rows = (*self._rows(found), *self._mentions(layer, head))
        which = f"these dependency relations at least {CLEAR_GAIN}" if found else f"no dependency relation {CLEAR_GAIN}"
        lead = (
            f"In {self._corpus} it finds {which} more often than the best fixed offset. All relations of {FEW_WORDS} "
            "words or more were tried, chosen and counted on the same sentences."
        )
        few = f"No dependency relation of {self._corpus} has {FEW_WORDS} words or more, so none was tried."
        told: Block = lead if self._tried else few, " See ", more, "."
        columns = ("finds", "how", "accuracy", "95 % interval", "n", "baseline")
        shown = (table("What this head finds", columns, rows),) if rows else ()
        return Section("relations", "What it finds", (told, *shown))

    def believed(self, layer: int, head: int) -> str:
        """Weight against norm, and gradient and effect where there are any, in a few sentences."""
        return " ".join(part for part in (self._seen(layer, head), self._effects.of_head(layer, head)) if part)

    def _seen(self, layer: int, head: int) -> str:
        at = layer - 1, head - 1
        weight = np.array([self._value(f"attention.{name}", at) for _, name in CLASSES])
        norm = np.array([self._value(f"norm.{name}", at) for _, name in CLASSES])
        if np.isnan(norm).all():
            return "How much it writes from where is unknown: only its weights could be seen."
        most = int(np.nanargmax(weight - norm))
        name, differ = self._words[CLASSES[most][1]], weight[most] - norm[most]
        seen, written = percent(alone(weight[most])), percent(alone(norm[most]))
        if differ < AGREE:
            text = f"It writes roughly from where it looks: the largest gap is at {name}, with {seen} of its attention "
            text += f"and {written} of what it writes."
        else:
            text = (
                f"It does not write from where it looks: {seen} of its attention goes to {name}, but {written} of what "
            )
            text += "it writes comes from there."
        gradient = self._gradients.get((layer, head))
        if gradient:
            values = [gradient.get(f"gradient.{name}", np.nan) for _, name in CLASSES]
            dear = self._words[CLASSES[int(np.nanargmax(values))][1]]
            text += f" Per unit of attention, the masked-LM loss depends most on what it gives to {dear}."
        return text

    def _value(self, column: str, at: tuple[int, int]) -> float:
        return float(self._atlas.estimates[column].value[at])

    def _relations(self) -> dict[tuple[int, int], list[_Relation]]:
        """By head: the relations it tracks in the largest treebank, the largest gain first."""
        counts, offsets = (self._atlas.results.table(name) for name in ("relations", "relation_baselines"))
        if not len(counts):
            return {}
        found: dict[tuple[int, int], list[_Relation]] = {place: [] for place in self._atlas.places}
        whole = counts[counts["relation"] == ALL].groupby("corpus")["n"].max()
        self._corpus = str(whole.idxmax())
        counts, offsets = (table[table["corpus"] == self._corpus] for table in (counts, offsets))
        best = offsets.sort_values("correct").groupby("relation").tail(1).set_index("relation")
        counts = counts[(counts["n"] >= FEW_WORDS) & (counts["relation"] != ALL)]
        self._tried = len(counts) > 0
        if not self._tried:
            return found
        counts = counts.assign(
            offset=counts["relation"].map(best["offset"]),
            baseline=counts["relation"].map(best["correct"] / best["n"]),
            gain=(counts["correct"] - counts["relation"].map(best["correct"])) / counts["n"],
        )
        kept = counts[counts["gain"] >= CLEAR_GAIN].sort_values("gain", ascending=False, kind="stable")
        kept = kept.drop_duplicates(["relation", "layer", "head"])
        fields = list(_Relation._fields)
        for row in kept[["layer", "head", *fields]].to_dict("records"):
            found[row["layer"], row["head"]].append(_Relation(**{name: row[name] for name in fields}))
        return found

    def _rows(self, found: list[_Relation]) -> Iterator[Cells]:
        for one in found[:MOST]:
            share = proportion(one.correct, one.n)
            base = f"{number(one.baseline)} at {one.offset:+d}"
            cells = (DIRECTION_IN_WORDS[one.direction], *pieces(share), str(one.n), base)
            yield with_label(one.relation), *cells

    def _mentions(self, layer: int, head: int) -> Iterator[Cells]:
        """A row for each set of candidates in which it finds antecedents clearly more often than the best rule does."""
        found: Mapping[str, Any] = self._antecedents.get((layer, head), {})
        for candidates, rule in self._rules.items():
            row = found.get(f"{candidates}.all")
            if row and row["value"] - rule >= CLEAR_GAIN:
                base = f"{number(rule)} by the best simple rule"
                yield "antecedents", f"among {candidates}", *pieces(Number.of(row)), str(row["n"]), base

    def _best_rules(self) -> Mapping[str, float]:
        """By candidates: how often the best simple rule finds the antecedent, in the first corpus with mentions."""
        table = self._atlas.results.table("antecedents")
        rows = table[(table["kind"] == "all") & (table["predictor"] == BEST) & (table["protocol"] == SAME_DATA)]
        return dict(rows.drop_duplicates("candidates").set_index("candidates")["value"])

    def _by_head(self, study: Study, corpus: str = "") -> Mapping[tuple[int, int], Named[Any]]:
        """Rows of one study and corpus (the first if not named) by head and name; of a gradient only the value."""
        table = self._atlas.results.table("head_facts")
        table = table[table["study"] == study.name] if len(table) else pd.DataFrame()
        table = table[table["corpus"] == (corpus or table["corpus"].iloc[0])] if len(table) else table
        found: dict[tuple[int, int], dict[str, Any]] = {}
        for row in table.to_dict("records"):
            of_head = found.setdefault((row["layer"], row["head"]), {})
            of_head[str(row["name"])] = row["value"] if study is GRADIENT else row
        return {place: Named(study, of_head) for place, of_head in found.items()}
