"""Results as a notebook shows them: a line, or the map of the heads and the verdicts on claims."""

from generator.claims.evidence.evidence import Evidence
from generator.claims.ledger import judge_all
from generator.corpora.files import TEXT
from generator.pages.heads.atlas import Atlas
from generator.public import html
from generator.results import store


class Results(store.Results):
    """A stored analysis; the last expression of a cell shows it."""

    def _repr_html_(self) -> str | None:
        """None where no text was read, as a map of heads is about text."""
        if not self.manifest.of(TEXT):
            return None
        return html.box(
            html.line(repr(self)[1:-1]),
            html.grid(Atlas(self)),
            html.verdicts(judge_all([Evidence(self)])),
        )
