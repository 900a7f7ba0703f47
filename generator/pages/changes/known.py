"""What differs between two sets of results: models, verdicts, and what heads find, in sentences."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, Self

from generator.claims.claim import Judgement
from generator.claims.gate.statement import Place
from generator.numbers.number import Number, apart
from generator.numbers.writing import percent
from generator.pages import addresses
from generator.pages.claims.tables import row_of
from generator.pages.heads.naming.names import found, specialists
from generator.pages.links import head_name
from generator.results.store import Results

WHOLE = "This model"
"""What a change is about that concerns a whole model."""


class Judged(NamedTuple):
    """The part of a claim's judgement that is kept from build to build."""

    verdict: str
    reason: str


class Found(NamedTuple):
    """Something that a head finds."""

    place: Place
    what: str
    """What the head finds, with its label."""
    title: str
    """The words after the name of the head, such as "finds direct objects"."""
    right: Number
    """How often it is right."""


class Known(NamedTuple):
    """What the site says about a model, in plain values that can be written as JSON."""

    model: str
    """What it is called."""
    layers: int
    heads: int
    verdicts: Mapping[str, Judged]
    """The verdicts by the id of the claim."""
    finds: tuple[Found, ...]

    @classmethod
    def of(cls, results: Results, judgements: Iterable[Judgement]) -> Self:
        """What the site says about one model; all `judgements` must be about it. Raises ResultsError."""
        entries = [
            Found(place, specialty.found, specialty.whole, specialty.right)
            for place, some in specialists(results.once(found)).items()
            for specialty in some
        ]
        manifest = results.manifest
        verdicts = {item.claim.id: Judged(item.verdict, item.reason) for item in judgements}
        return cls(manifest.model, manifest.layers, manifest.heads, verdicts, tuple(entries))

    @property
    def finders(self) -> int:
        """How many heads find a relation or antecedents."""
        return len({head.place for head in self.finds})


class Change(NamedTuple):
    """One difference."""

    model: str
    """What it is called."""
    slug: str
    about: str
    """The subject of the sentence: a claim, a head or "It"."""
    address: str
    """The address of its page, with the place on it."""
    text: str
    """The rest of the sentence."""

    @property
    def sentence(self) -> str:
        """The whole sentence."""
        return f"{self.about} {self.text}"


def changes(before: Mapping[str, Known], after: Mapping[str, Known]) -> list[Change]:
    """Every difference, model by model: new models, removed models, and what changed in the others.

    Both mappings have the slugs of models as keys.
    """
    differences = []
    for slug in sorted({*before, *after}):
        old, new = before.get(slug), after.get(slug)
        known = new or old
        assert known
        if old and new:
            entries = [*_verdicts(old, new, slug), *_heads(old, new, slug)]
        elif new:
            find = f"{new.finders} of its {new.layers * new.heads} heads {'finds' if new.finders == 1 else 'find'}"
            shape = f"{new.layers} layers of {new.heads} heads"
            entries = [(WHOLE, addresses.model(slug), f"is new: {shape}. {find} a relation or antecedents.")]
        else:
            entries = [(WHOLE, addresses.model(slug), "is gone.")]
        differences += [Change(known.model, slug, *parts) for parts in entries]
    return differences


def _verdicts(old: Known, new: Known, slug: str) -> Iterator[tuple[str, str, str]]:
    for key, now in new.verdicts.items():
        was, address = old.verdicts.get(key), f"{addresses.claim(key)}#{row_of(slug)}"
        if was is None:
            yield key, address, f"is judged for the first time: {now.verdict}. {now.reason}"
        elif was.verdict != now.verdict:
            yield key, address, f"has a new verdict: {now.verdict} (before: {was.verdict}). {now.reason}"


def _heads(old: Known, new: Known, slug: str) -> Iterator[tuple[str, str, str]]:
    before, after = ({(head.place, head.what): head for head in known.finds} for known in (old, new))
    for key in sorted({*before, *after}):
        was, now = before.get(key), after.get(key)
        head = f"Head {head_name(*key[0])}", addresses.head(slug, *key[0])
        if was is None and now is not None:
            yield *head, f"now {now.title}: right for {percent(now.right)}."
        elif now is None and was is not None:
            yield *head, f"no longer {was.title}; it was right for {percent(was.right)}."
        elif was is not None and now is not None and percent(was.right) != percent(now.right):
            both = "do not overlap" if apart(was.right, now.right) else "overlap"
            right = f"right for {percent(now.right)}, before {percent(was.right)}"
            yield *head, f"{now.title}: {right}; the two intervals {both}."
