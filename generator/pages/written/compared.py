"""The models that a hand-written page compares: the first few, and any others that its reader chooses.

What the page shows at first is in the page itself. What it can show about all models is in files beside it: the numbers
of figures with the data of all figures, sentences and rows of tables in a file that is fetched when a reader chooses.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar
from zlib import crc32

from markupsafe import Markup

from generator.claims.claim import Claim
from generator.claims.said import briefly
from generator.numbers import writing
from generator.numbers.writing import listed
from generator.pages import addresses
from generator.pages.blocks import Block, Figure
from generator.pages.claims.figures import NUMBERLESS, claim_figure, number_of, one_number
from generator.pages.claims.tables import Ledger
from generator.pages.claims.verdicts import Verdicts, verdict_table
from generator.pages.figures import embed
from generator.pages.inline import Joined, Name, Prose
from generator.pages.links import to_claim, to_model
from generator.pages.renderer import Renderer, table_rows
from generator.pages.written.in_markdown import anchor, one_block, text
from generator.pages.written.telling import fillings, tell

FIRST = 4
"""Models that a page compares unless its reader chooses others."""
OTHERS = "models.js"
"""The file beside a page with its sentences and rows of every model."""
BY_CHANCE = "; allowing for chance among so many claims, "
"""Begins the note, behind the name of a claim, on a verdict that is another one once all claims are counted."""
Around = tuple[str, str]
"""What stands before the name of a model and after it, as Markdown."""


@dataclass(frozen=True)
class Chooser:
    """A check box for each model; those that are compared at first are checked."""

    template: ClassVar[str] = "compared"
    told: Prose
    """Words that say how many models are compared at first, and which."""
    models: tuple[tuple[str, Name, bool], ...]
    """Slug, name, and whether it is compared at first."""
    file: str
    script: str


class Comparison:
    """Sentences, figures and tables of the models that are compared, and what a choice of others needs."""

    def __init__(self, ledger: Ledger, renderer: Renderer) -> None:
        self._every = replace(ledger, sources=())
        self._parts: dict[tuple[str, ...], Ledger] = {}
        self._first = self._of([one.slug for one in ledger.manifests[:FIRST]])
        self._renderer = renderer

    @property
    def slugs(self) -> tuple[str, ...]:
        """The slugs of the models that are compared at first."""
        return tuple(one.slug for one in self._first.manifests)

    def chooser(self, page: str) -> str:
        """The HTML by which a reader chooses models to compare; empty if there is nothing to choose."""
        manifests = self._every.manifests
        if len(manifests) < 2:
            return ""
        models = tuple((one.slug, Name(one.model), at < FIRST) for at, one in enumerate(manifests))
        first = Joined(tuple(name for _, name, _ in models[:FIRST]))
        told = f"{len(first.parts)} of {len(models)}: ", first
        self._put("names", {one.slug: anchor(to_model(one.slug, one.model, page)) for one in manifests})
        script = f"{addresses.relative(addresses.ASSETS, page)}compared.js"
        block = Chooser(told, models, OTHERS, script)
        return one_block(self._renderer.render("blocks/compared.html", block))

    def told(self, claim: Claim, sentences: Mapping[str, str], page: str, *, joined: bool = False) -> str:
        """Sentences about the verdicts on the claim, or one that joins them, as Markdown."""
        every = fillings(self._every, claim, sentences, page)
        told = tell(self._first, claim, sentences, page, joined=joined)
        if len(self._every.manifests) > 1:
            name = f"{claim.id}-{crc32(repr(sentences).encode()):x}"  # a page may tell of a claim twice
            self._put(name, every)
            told = f'<span data-told="{name}"{" data-joined" if joined else ""}>{told}</span>'
        counted = self._noted(f"counted-{claim.id}", BY_CHANCE, uncounted(self._every, claim), page, end="")
        return f"{told} ({anchor(to_claim(claim.id, claim.id, page))}{counted})"

    def untested(self, claims: Sequence[Claim], page: str) -> str:
        """One sentence that says for which models some of the claims cannot be tested; empty if there are none."""
        start = "Not testable: " if len(claims) > 1 else "Not testable "
        name = f"untested-{'-'.join(claim.id for claim in claims)}"
        return self._noted(name, start, untested(self._every, claims, page), page)

    def _noted(self, name: str, start: str, every: Mapping[str, Around], page: str, end: str = ".") -> str:
        """One sentence, or a part of one, that joins what `every` says of the compared models, those of which it says
        the same together; empty if it says nothing of them.
        """
        alike: dict[Around, list[str]] = {}
        for one in self._first.manifests:
            if one.slug in every:
                alike.setdefault(every[one.slug], []).append(anchor(to_model(one.slug, one.model, page)))
        told = "; ".join(f"{before}{listed(names)}{after}" for (before, after), names in alike.items())
        told = f"{start}{told}{end}" if told else ""
        if not every or len(self._every.manifests) < 2:
            return told
        self._put(name, {"start": start, "end": end, "models": every})
        return f'<span data-noted="{name}">{told}</span>'

    def table(self, claim: Claim, page: str) -> Block:
        """A table of the verdicts on the claim, with the published numbers below."""
        if len(self._every.manifests) < 2:
            return verdict_table(self._every, claim, page)
        every = Verdicts.of(self._every, claim, page)
        name, shown = f"verdicts-{claim.id.lower()}", [one.slug for one in self._first.manifests]
        self._put_rows(name, shown, every.rows, every.below)
        return every.table(shown, name)

    def figure(self, claim: Claim, order: int, name: str) -> Figure | str:
        """The figure of a claim's part for the compared models that have its number, or else the first that have it; a
        sentence if no model or only one has it and there is nothing beside it.
        """
        if told := one_number(self._every, claim, order):
            return told
        every = claim_figure(self._every, claim, order, name)
        if every is None or len(self._every.manifests) < 2:
            return every or NUMBERLESS
        having = {one.slug for one, item in self._every.by_model(claim) if number_of(item, order)}
        slugs = [one.slug for one in self._every.manifests if one.slug in having]
        rows = every.table.rows
        assert not isinstance(rows, Markup), "a figure's table has cells"
        shown = [one.slug for one in self._first.manifests if one.slug in having] or slugs[:FIRST]
        drawn = {slug: table_rows([row]) for slug, row in zip(slugs, rows, strict=False)}
        self._put_rows(name, shown, drawn, table_rows(rows[len(slugs) :]))
        first = claim_figure(self._of(shown), claim, order, name)
        assert first
        (all_of_them,) = json.loads(every.data)["views"]
        return replace(first, data=embed({**json.loads(first.data), "every": all_of_them}))

    def _of(self, slugs: Sequence[str]) -> Ledger:
        """The ledger of some of the models; nearly all figures ask for that of the first ones."""
        key = tuple(slugs)
        if key not in self._parts:
            of_these = tuple(one for one in self._every.manifests if one.slug in key)
            self._parts[key] = replace(self._every, manifests=of_these)
        return self._parts[key]

    def _put_rows(self, name: str, first: Sequence[str], rows: Mapping[str, Markup], below: Markup) -> None:
        """Put the rows of a table into the file beside the page; `first` has the slugs of those shown first."""
        self._put(f"#{name}", {"first": first, "rows": rows, "below": below})

    def _put(self, name: str, data: object) -> None:
        self._renderer.beside(json.dumps(data, separators=(",", ":"), ensure_ascii=False), name, OTHERS)


def untested(ledger: Ledger, claims: Sequence[Claim], page: str) -> dict[str, Around]:
    """Slug of a model -> which of the claims cannot be tested for it, and why; other models are left out.

    If there is only one claim, it is not named.
    """
    found = {}
    for model in ledger.manifests:
        items = [item for claim in claims for one, item in ledger.by_model(claim) if one is model]
        missing = [item for item in items if item.verdict == "not testable"]
        if missing:
            which = writing.listed([anchor(to_claim(item.claim.id, item.claim.id, page)) for item in missing])
            why = dict.fromkeys(text(briefly(item.reason, model.model)) for item in missing)
            found[model.slug] = f"{which} for " if len(claims) > 1 else "for ", f" ({'; '.join(why)})"
    return found


def uncounted(ledger: Ledger, claim: Claim) -> dict[str, Around]:
    """Slug of a model -> the verdict it has once all claims are counted; where it stays it is left out."""
    return {
        model.slug: (f"{ledger.adjusted[key]} for ", "")
        for model in ledger.manifests
        if (key := (claim.id, model.model)) in ledger.adjusted
    }
