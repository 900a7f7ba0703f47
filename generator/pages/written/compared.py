"""The models that the figures of a hand-written page compare: the first few, and any others that its reader chooses.

What the page shows at first is in the page itself. What it can show about all models is in files beside it: the numbers
of figures with the data of all figures, and the rows of their tables in a file that is fetched when a reader chooses.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from markupsafe import Markup

from generator.claims.claim import Claim
from generator.claims.evidence.reasons import SAVED
from generator.pages import addresses
from generator.pages.blocks import Figure
from generator.pages.claims.figures import NUMBERLESS, claim_figure, number_of, one_number
from generator.pages.claims.tables import Ledger
from generator.pages.figures import embed
from generator.pages.inline import Joined, Name, Prose, as_html
from generator.pages.renderer import Renderer, table_rows
from generator.pages.written.in_markdown import one_block
from generator.results.manifest import Manifest

FIRST = 5
"""Models that a page compares unless its reader chooses others."""
OTHERS = "models.js"
"""The file beside a page with the rows of every model."""


@dataclass(frozen=True)
class Candidate:
    """A model that can be compared."""

    name: Name
    size: str
    """How many layers and heads it has, and whether more is known of it than its maps."""

    def __html__(self) -> str:
        """Its name, and its size in brackets; compared.js takes both as they are."""
        return f'<span class="fg-shown">{self.name.__html__()} ({as_html(self.size)})</span>'


@dataclass(frozen=True)
class Chooser:
    """A check box for each model; those that are compared at first are checked."""

    template: ClassVar[str] = "compared"
    text: Prose
    """Words that say how many models are compared at first, and which."""
    models: tuple[tuple[str, "Candidate", bool], ...]
    """Slug, what is shown of it, and whether it is compared at first."""
    file: str
    script: str


class Comparison:
    """Figures of the models that are compared, and what a choice of others needs."""

    def __init__(self, ledger: Ledger, renderer: Renderer) -> None:
        self._every = replace(ledger, sources=())
        self._parts: dict[tuple[str, ...], Ledger] = {}
        self._first = self._of([manifest.slug for manifest in ledger.manifests[:FIRST]])
        self._renderer = renderer

    @property
    def slugs(self) -> tuple[str, ...]:
        """The slugs of the models that are compared at first."""
        return tuple(manifest.slug for manifest in self._first.manifests)

    def chooser(self, page: str) -> str:
        """The HTML by which a reader chooses models to compare; empty if there is nothing to choose."""
        manifests = self._every.manifests
        if len(manifests) < 2:
            return ""
        models = tuple(
            (manifest.slug, Candidate(Name(manifest.model), _size(manifest)), at < FIRST)
            for at, manifest in enumerate(manifests)
        )
        first = Joined(tuple(shown for _, shown, _ in models[:FIRST]))
        row = f"{len(first.parts)} of {len(models)}: ", first
        self._put("first", self.slugs)  # so that there is a file where no figure has rows
        script = f"{addresses.relative(addresses.ASSETS, page)}compared.js"
        block = Chooser(row, models, OTHERS, script)
        return one_block(self._renderer.render("blocks/compared.html", block))

    def figure(self, claim: Claim, order: int, name: str) -> Figure | str:
        """The figure of a claim's part for the compared models that have its number, or else the first that have it; a
        sentence if no model or only one has it and there is nothing beside it.
        """
        if text := one_number(self._every, claim, order):
            return text
        every = claim_figure(self._every, claim, order, name)
        if every is None or len(self._every.manifests) < 2:
            return every or NUMBERLESS
        having = {manifest.slug for manifest, item in self._every.by_model(claim) if number_of(item, order)}
        slugs = [manifest.slug for manifest in self._every.manifests if manifest.slug in having]
        rows = every.table.rows
        assert not isinstance(rows, Markup), "a figure's table has cells"
        shown = [manifest.slug for manifest in self._first.manifests if manifest.slug in having] or slugs[:FIRST]
        # After the rows of models come those of published numbers.
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
            of_these = tuple(manifest for manifest in self._every.manifests if manifest.slug in key)
            self._parts[key] = replace(self._every, manifests=of_these)
        return self._parts[key]

    def _put_rows(self, name: str, first: Sequence[str], rows: Mapping[str, Markup], below: Markup) -> None:
        """Put the rows of a table into the file beside the page; `first` has the slugs of those shown first."""
        self._put(f"#{name}", {"first": first, "rows": rows, "below": below})

    def _put(self, name: str, data: object) -> None:
        self._renderer.beside(json.dumps(data, separators=(",", ":"), ensure_ascii=False), name, OTHERS)


def _size(model: Manifest) -> str:
    text = f"{model.layers} layers of {model.heads} heads"
    return f"{text}, saved maps alone" if model.family == SAVED else text
