"""The files that pages load, beside fonts: styles, scripts, and Vega for figures that a reader touches."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from generator import __version__
from generator.charts.theme import css
from generator.pages.citing import BIBTEX, LATEX, OURS, PLAIN, Work, filled
from generator.site.fonts import faces
from generator.topics import of_topics

ASSETS = Path(__file__).parent / "assets"


def cited(work: Work) -> dict[str, Any]:
    """The citation forms that the menu of a figure or table fills in, and what it writes for signs in BibTeX."""
    forms = [filled(form, "{title}", "{address}", work) for form in (PLAIN, BIBTEX)]
    return {"version": __version__, "forms": forms, "latex": LATEX}


@cache
def loaded(assets: Path, work: Work = OURS) -> dict[str, str]:
    """Name -> content of the files that pages load; made once per process, since Vega takes seconds."""
    from generator.charts.compile import charts_script, vega_script  # noqa: PLC0415 - loads Altair

    return {
        "fieldguide.css": faces() + css() + (assets / "fieldguide.css").read_text(encoding="utf-8"),
        "fieldguide.js": (assets / "fieldguide.js").read_text(encoding="utf-8"),
        "menus.js": (assets / "menus.js").read_text(encoding="utf-8").replace('"CITED"', json.dumps(cited(work))),
        "embed.js": (assets / "embed.js").read_text(encoding="utf-8").replace('"VERSION"', json.dumps(__version__)),
        "helps.js": (assets / "helps.js").read_text(encoding="utf-8"),
        "curve.js": (assets / "curve.js").read_text(encoding="utf-8"),
        "claims.js": (assets / "claims.js").read_text(encoding="utf-8"),
        "finder.js": "".join((assets / name).read_text(encoding="utf-8") for name in ("writing.js", "finder.js")),
        "pairs.js": "".join(
            (assets / name).read_text(encoding="utf-8") for name in ("writing.js", "courses.js", "pairs.js")
        ),
        "ask.js": (assets / "ask.js").read_text(encoding="utf-8"),
        "pairs.css": (assets / "pairs.css").read_text(encoding="utf-8"),
        "compared.js": (assets / "compared.js").read_text(encoding="utf-8"),
        "charts.js": charts_script(),
        "vega.js": vega_script(),
        **{name: _joined(parts) for files in of_topics("assets", "ASSETS") for name, parts in files.items()},
    }


def _joined(parts: Sequence[Path]) -> str:
    return "".join(part.read_text(encoding="utf-8") for part in parts)
