"""Claims judged for every model, and how pages write a verdict and the number that decides it."""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, product
from typing import Self

from markupsafe import Markup

from generator.claims.agreement import Agreement, agreements
from generator.claims.all import CLAIMS
from generator.claims.bounds import counted
from generator.claims.claim import Claim, Judgement
from generator.claims.claim import Part as ClaimPart
from generator.claims.evidence.evidence import Evidence
from generator.claims.evidence.reading import Stored
from generator.claims.ledger import adjusted, by_model, judge_all
from generator.claims.multiplicity import Many, allow_for_many
from generator.claims.published import Published, published
from generator.claims.verdict import Verdict
from generator.numbers import writing
from generator.numbers.number import Number
from generator.pages.bibliography import key_of
from generator.pages.inline import Cell, Link, Prose, as_html, inline
from generator.pages.links import to_reference
from generator.pages.studies.tables import NOTHING
from generator.results.manifest import Manifest

Sources = Mapping[str, str]
"""Key in the list of references -> author and year."""
UNJUDGED = "No model has been analysed yet."
SHOWN: tuple[Verdict, ...] = ("holds", "fails", "inconclusive", "not testable")
"""Verdicts in the order in which pages list them."""
MOST = 12
"""Heads that are named one by one."""


def of_models(count: int, models: int) -> str:
    """How many of the site's models are meant, in words that can follow "for".

    >>> of_models(2, 3), of_models(2, 2), of_models(3, 3), of_models(1, 1)
    ('2 of 3 models', 'both models', 'all 3 models', 'the one model')
    """
    everyone = {1: "the one model", 2: "both models"}.get(models, f"all {models} models")
    return everyone if count == models else f"{count} of {models} models"


@dataclass(frozen=True)
class Mark:
    """A verdict: the name of its colour, and its name on pages."""

    key: str
    text: str
    href: str = ""
    """The address to which a small mark leads."""
    title: str = ""
    """The name of a small mark, which screen readers say and a pointer that rests on it shows."""

    def __html__(self) -> str:
        """HTML with the colour and always a word, if only as the title of a small mark."""
        if self.href:
            title = as_html(self.title)
            small = f'<span class="fg-verdict-{as_html(self.key)}"></span>'
            return f'<a class="fg-mark" href="{as_html(self.href)}" title="{title}">{small}</a>'
        return f'<span class="fg-verdict fg-is-{as_html(self.key)}">{as_html(self.text)}</span>'


@dataclass(frozen=True)
class Ledger:
    """Every claim's judgement for every model."""

    judgements: tuple[Judgement, ...]
    manifests: tuple[Manifest, ...]
    """The manifests of the models, in the order of pages."""
    sources: tuple[Stored, ...] = ()
    """The results that were judged, in the same order; without them no rows can be shown."""
    sentences: dict[str, dict[str, str]] = field(default_factory=dict, compare=False)
    """What pages say of the verdicts for each model, by its slug; see `once`."""
    agreeing: Callable[[Stored], Sequence[Agreement]] = agreements
    """A function that returns how often the verdicts on parts of one model's results agree."""

    @classmethod
    def of(cls, results: Iterable[Stored]) -> Self:
        """Judge every claim on these results."""
        stored = tuple(results)
        return cls(tuple(judge_all(map(Evidence, stored))), tuple(item.manifest for item in stored), stored)

    @classmethod
    def joined(cls, ledgers: Sequence[Self]) -> Self:
        """One ledger, joined from those of single models."""
        return cls(
            tuple(chain(*zip(*(ledger.judgements for ledger in ledgers), strict=True))),
            tuple(chain(*(ledger.manifests for ledger in ledgers))),
            tuple(chain(*(ledger.sources for ledger in ledgers))),
            dict(chain(*(ledger.sentences.items() for ledger in ledgers))),
        )

    def once(self, slug: str, what: str, made: Callable[[], Prose]) -> Markup:
        """The HTML of what a page says of one model, kept from build to build under the name of `what` it is, for a
        guide of many models says thousands of such things. It may rest on the model's verdicts and the claims alone.
        """
        texts = self.sentences.setdefault(slug, {})
        if what not in texts:
            texts[what] = str(inline(made()))
        return Markup(texts[what])  # noqa: S704 - escaped when it was made

    @cached_property
    def claims(self) -> Mapping[str, Claim]:
        """Every claim by its id, judged or not, those of a paper together."""
        papers = list(dict.fromkeys(claim.paper for claim in CLAIMS))
        return {claim.id: claim for claim in sorted(CLAIMS, key=lambda claim: papers.index(claim.paper))}

    def by_model(self, claim: Claim) -> Sequence[tuple[Manifest, Judgement]]:
        """A claim's judgement for each model, with the model's manifest, in the order of the models."""
        return self._by_claim.get(claim.id, ())

    def of_model(self, model: str) -> Sequence[Judgement]:
        """All judgements for one model."""
        return self._by_model.get(model, ())

    @cached_property
    def many(self) -> Mapping[str, Many]:
        """Model -> what follows from the number of claims that are judged for it."""
        return {manifest.model: allow_for_many(self.of_model(manifest.model)) for manifest in self.manifests}

    @cached_property
    def adjusted(self) -> Mapping[tuple[str, str], Verdict]:
        """(claim, model) -> the verdict that allows for the number of claims, if it differs from the plain one."""
        return adjusted(self.many)

    def bearing(self, model: str, layer: int, head: int) -> Sequence[tuple[Judgement, int]]:
        """The verdicts that name a head, given by 1-based layer and head, each with how many heads it names."""
        return self._bearing.get((model, layer, head), ())

    def named_heads(self, item: Judgement) -> tuple[tuple[int, int], ...]:
        """The heads that a verdict names: those that it rests on or, if they are more than half, the exceptions."""
        heads, places = heads_of(item), self._places[item.model]
        few = len(heads) == 1 or 2 * len(heads) <= len(places)
        return heads if few else tuple(sorted({*places} - {*heads}))

    @cached_property
    def _places(self) -> Mapping[str, Sequence[tuple[int, int]]]:
        return {
            manifest.model: [*product(range(1, manifest.layers + 1), range(1, manifest.heads + 1))]
            for manifest in self.manifests
        }

    @cached_property
    def _bearing(self) -> Mapping[tuple[str, int, int], Sequence[tuple[Judgement, int]]]:
        found: dict[tuple[str, int, int], list[tuple[Judgement, int]]] = {}
        for item in self.judgements:
            heads = self.named_heads(item)
            for at in heads:
                found.setdefault((item.model, *at), []).append((item, len(heads)))
        return found

    @cached_property
    def _by_model(self) -> Mapping[str, Sequence[Judgement]]:
        return by_model(self.judgements)

    @cached_property
    def _by_claim(self) -> Mapping[str, Sequence[tuple[Manifest, Judgement]]]:
        found: dict[str, dict[str, Judgement]] = {}
        for item in self.judgements:
            found.setdefault(item.claim.id, {})[item.model] = item
        return {
            name: [(manifest, items[manifest.model]) for manifest in self.manifests] for name, items in found.items()
        }


def mark(verdict: Verdict) -> Mark:
    """A verdict as text with a colour."""
    return Mark(verdict.replace(" ", "-"), verdict)


def number_cell(number: Number | None, part: ClaimPart) -> Cell:
    """A number with its interval and n, or a dash."""
    if number is None or math.isnan(number.value):
        return NOTHING
    value, ends = writing.pieces(number, against=part.against)
    spread = "no interval, " if math.isnan(number.low) else "" if ends == writing.UNDEFINED else f"{ends}, "
    return Cell(value, note=f"{spread}n = {counted(number.n, part.over)}")


def deciding_number(judgement: Judgement) -> Cell:
    """The number that decides the verdict; of a claim with several parts, also which part it belongs to."""
    if judgement.decides is None:
        return NOTHING
    cell = number_cell(judgement.decides.number, judgement.decides.part)
    which = [finding.part for finding in judgement.findings].index(judgement.decides.part) + 1
    return replace(cell, note=f"{cell.note}; part {which}") if cell.note and len(judgement.findings) > 1 else cell


def heads_of(judgement: Judgement) -> tuple[tuple[int, int], ...]:
    """Layer and head, from 1, of the heads that a verdict rests on, or that were chosen from too little to judge; the
    heads of the deciding number come first.
    """
    parts = (*([judgement.decides] if judgement.decides else ()), *judgement.findings)
    return tuple(dict.fromkeys(at for part in parts for at in part.heads))


def anchor_of(paper: str) -> str:
    """The anchor at which a paper's claims begin in the list of all claims."""
    return re.sub(r"[^a-z0-9]+", "-", paper.lower()).strip("-")


def row_of(slug: str) -> str:
    """The anchor of a model's verdict on the page of a claim."""
    return f"of-{slug}"


def comparable(claim: Claim, order: int = 0) -> tuple[Published, ...]:
    """Published numbers that measure what a part of the claim measures; parts are counted from 0."""
    return () if order else tuple(map(published, claim.comparable))


def place(number: Published) -> str:
    """The place of a published number in its source, and how far it is to be trusted."""
    return f"{number.place} ({number.trust})"


def to_source(paper: str, sources: Sources, page: str) -> Link:
    """A link to the paper in the list of references; plain text where the list does not have it."""
    key = key_of(paper, sources)
    return to_reference(key, paper, page) if key else Link(paper, "")


def section_of(text: str) -> str:
    """The place of a claim in its source, in words."""
    return f"section {text}" if text[0].isdigit() else text
