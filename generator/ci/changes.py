"""What differs between two sets of results: models, verdicts, and what heads find, in sentences."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from generator.claims.claim import Judgement
from generator.claims.evidence.evidence import Evidence
from generator.claims.ledger import judge_all
from generator.numbers.number import Number
from generator.numbers.writing import percent
from generator.pages.heads.specialists import Place, Specialty, specialists
from generator.pages.links import head_name
from generator.results.manifest import Manifest
from generator.results.store import find


class Known(NamedTuple):
    """What a guide says of a model."""

    manifest: Manifest
    verdicts: Mapping[str, Judgement]
    heads: Mapping[tuple[Place, str], Specialty]
    """By head and what it finds."""

    @property
    def finders(self) -> int:
        """Heads that find something."""
        return len({place for place, _ in self.heads})


class Change(NamedTuple):
    """One difference."""

    model: str
    text: str
    """A sentence."""


def known(places: Iterable[Path], hidden: Collection[str] = ()) -> dict[str, Known]:
    """Slug -> what the results in these folders say; `hidden` slugs are left out. Raises ResultsError."""
    return {
        one.manifest.slug: Known(
            one.manifest,
            {item.claim.id: item for item in judge_all([Evidence(one)])},
            {(place, each.found): each for place, some in specialists(one).items() for each in some},
        )
        for one in find(places)
        if one.manifest.slug not in hidden
    }


def changes(before: Mapping[str, Known], after: Mapping[str, Known]) -> list[Change]:
    """Every difference, model by model: those that came, those that went, and what is another of the rest."""
    found = []
    for slug in sorted({*before, *after}):
        old, new = before.get(slug), after.get(slug)
        if old and new:
            found += [Change(new.manifest.model, text) for text in (*_verdicts(old, new), *_heads(old, new))]
        elif new:
            shape = f"{new.manifest.layers} layers of {new.manifest.heads} heads"
            found.append(Change(new.manifest.model, f"It is new: {shape}, of which {new.finders} find something."))
        elif old:
            found.append(Change(old.manifest.model, "It is gone."))
    return found


def _verdicts(old: Known, new: Known) -> Iterator[str]:
    for key, item in new.verdicts.items():
        was = old.verdicts.get(key)
        if was is None:
            yield f"{key} is judged for the first time: {item.verdict}. {item.reason}"
        elif was.verdict != item.verdict:
            yield f"{key} is now {item.verdict}, was {was.verdict}. {item.reason}"


def _heads(old: Known, new: Known) -> Iterator[str]:
    for place, found in sorted({*old.heads, *new.heads}):
        was, now = old.heads.get((place, found)), new.heads.get((place, found))
        head = f"Head {head_name(*place)}"
        if was is None and now is not None:
            yield f"{head} now {now.title}: right for {percent(now.right)}."
        elif now is None and was is not None:
            yield f"{head} no longer {was.title}; it was right for {percent(was.right)}."
        elif was is not None and now is not None and was.right != now.right:
            yield (
                f"{head} {now.title}: right for {percent(now.right)}, before {percent(was.right)}; the two intervals "
                f"{'overlap' if _overlap(was.right, now.right) else 'do not overlap'}."
            )


def _overlap(one: Number, other: Number) -> bool:
    return one.low <= other.high and other.low <= one.high
