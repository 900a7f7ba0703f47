"""What results, and a head at work, look like below a cell of a notebook: HTML that needs no script and no style sheet.

A notebook may be dark; what is shown here brings its own white page along.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from markupsafe import Markup, escape

from generator.charts.static.squares import Cell, squares
from generator.charts.theme import LIGHT
from generator.claims.claim import Judgement
from generator.pages.claims.tables import SHOWN
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.map import head_map
from generator.pages.heads.summary import kinds
from generator.visible import visible

STYLE = f"background:{LIGHT.page};color:{LIGHT.ink};padding:8px 12px;max-width:60em;font-family:sans-serif"
POINTED = Markup(
    "<style>.fg-alone svg:has(g:hover) g:not(:hover) path{opacity:.12}</style>"  # as on pages
)


def box(*parts: Markup) -> str:
    """A piece of HTML with its own page behind it."""
    return Markup('<div class="fg-alone" style="{}">{}</div>').format(STYLE, Markup("").join(parts))


def line(text: str) -> Markup:
    """A paragraph of plain text."""
    return Markup('<p style="margin:.3em 0">{}</p>').format(visible(text))


def grid(atlas: Atlas) -> Markup:
    """The map of a model's heads, and what its colours mean."""
    shown = head_map(atlas, "")
    rows = [
        [Cell(square.first, square.side, visible(f"{square.name}: {square.summary}")) for square in row]
        for row in shown.rows
    ]
    first = {cell.kind for row in rows for cell in row}
    keys = ((LIGHT.kinds[kind], text) for kind, text in kinds().items() if kind in first)
    drawn = Markup(squares(rows, visible(shown.label)))  # noqa: S704 - the writer escapes every text
    return drawn + _legend(keys)


def verdicts(judged: Sequence[Judgement]) -> Markup:
    """How many claims have each verdict, and which they are."""
    counts = Counter(judgement.verdict for judgement in judged)
    colours = {verdict: LIGHT.verdicts[verdict.replace(" ", "-")] for verdict in SHOWN}
    text = _legend((colours[verdict], f"{verdict} {counts[verdict]}") for verdict in SHOWN)
    row = Markup('<tr><td>{}</td><td style="text-align:left">{}</td><td style="color:{};text-align:left">{}</td></tr>')
    rows = Markup("").join(
        row.format(judgement.claim.id, judgement.claim.title, colours[judgement.verdict], judgement.verdict)
        for judgement in judged
    )
    return text + Markup("<details><summary>{} claims</summary><table>{}</table></details>").format(len(judged), rows)


def _legend(keys: Iterable[tuple[str, str]]) -> Markup:
    """Colours, each with what it stands for."""
    key = Markup('<span style="white-space:nowrap;margin-right:1em"><span style="color:{}">&#9632;</span> {}</span> ')
    string = Markup("").join(key.format(colour, escape(text)) for colour, text in keys)
    return Markup('<p style="margin:.3em 0">{}</p>').format(string)
