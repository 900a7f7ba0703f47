"""What calls of hand-written pages are told from, without a page."""

from generator.home import TEMPLATES
from generator.pages.claims.tables import Ledger
from generator.pages.heads.atlas import Atlas
from generator.pages.renderer import Renderer
from generator.pages.written.compared import Comparison
from generator.pages.written.context import Context
from tests.site.project import ROOT

PAGE = "findings/x/"


def context(*atlases: Atlas) -> Context:
    """Of these models, none of which was judged."""
    renderer, ledger = Renderer(TEMPLATES), Ledger((), ())
    bibliography = ROOT / "docs" / "references.bib"
    return Context(PAGE, ledger, atlases, Comparison(ledger, renderer), bibliography, {}, renderer)
