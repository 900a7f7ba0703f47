"""What a call of a hand-written page is told from, and the call: a function of this and of what stands in its brackets.

A topic gives calls of its own, and figures, in a record `WRITTEN`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from generator.pages.blocks import Figure
from generator.pages.claims.tables import Ledger
from generator.pages.heads.atlas import Atlas
from generator.pages.renderer import Renderer
from generator.pages.written.compared import Comparison
from generator.pages.written.in_markdown import one_block

Call = Callable[..., str]
"""Takes a context and the texts that a page gives it, and returns Markdown; its docstring says what it writes. Raises
SiteError for a text that it cannot answer.
"""
Drawn = Callable[[Atlas, str], Figure | None]
"""Makes the figure of a model for a page with this address; None if the model has none."""


@dataclass(frozen=True)
class Written:
    """What the hand-written pages of a guide may use."""

    calls: Mapping[str, Call] = field(default_factory=dict)
    """Name of a call -> what answers it."""
    figures: Mapping[str, Drawn] = field(default_factory=dict)
    """Name that `drawn` takes -> what makes the figure."""


@dataclass(frozen=True)
class Context:
    """Everything that a hand-written page may tell."""

    page: str
    """The address of the page that makes the call; it ends in "/"."""
    ledger: Ledger
    atlases: Sequence[Atlas]
    """Those of the models in the ledger."""
    comparison: Comparison
    bibliography: Path
    """The file of references, in the folder of hand-written pages."""
    references: Mapping[str, str]
    """Key in it -> author and year."""
    renderer: Renderer

    @cached_property
    def compared(self) -> list[Atlas]:
        """Those of the models that figures compare."""
        return [atlas for atlas in self.atlases if atlas.slug in self.comparison.slugs]

    def block(self, template: str, content: Any) -> str:
        """What a template of `templates/blocks` makes of this content, as a block of Markdown."""
        return one_block(self.renderer.render(f"blocks/{template}.html", content))
