"""A plain site, whose build tells how fast a processor does what building a guide needs.

The bounds in seconds were set on one machine. Another one, or the same beside busy neighbours, may take two or three
times as long for the same work. So what is bounded in seconds is measured between two builds of this site, and told in
seconds of the machine of the bounds.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.bench.record import cpu_of

SECONDS = 1.5
"""What the build takes on the machine of the bounds, to about a tenth: 21.8 * 3.3 / 48.4.

There the code of that day (6e601ea1) built a guide of six models in 21.8 s. That build and this one in turn, five
rounds on an AMD EPYC with the libraries of `constraints.txt`: medians of 48.4 and 3.3 s. Another size of the site, or
another text, needs this measured again.
"""
PAGES = 60
SETTINGS = """\
site_name: Plain
theme:
  name: material
  font: false
markdown_extensions: [attr_list, tables, toc]
"""


def reference_seconds(work: Callable[[], float]) -> float:
    """The processor seconds that a piece of work measures, as the machine of the bounds would take them."""
    before = build()
    took = work()
    plain = (before + build()) / 2
    print(f"{'':<16} {took:.3g} s here, where a plain site takes {plain:.3g} s", flush=True)
    return took * SECONDS / plain


def build() -> float:
    """Processor seconds of the command that builds the site, with MkDocs Material alone."""
    with tempfile.TemporaryDirectory(dir=memory()) as name:
        return cpu_of(written(Path(name)))


def written(folder: Path) -> list[str]:
    """Write the sources of the site into a folder; returns the command that builds it."""
    settings, docs = folder / "mkdocs.yml", folder / "docs"
    settings.write_text(SETTINGS, encoding="utf-8")
    docs.mkdir()
    for number in range(PAGES):
        (docs / f"page-{number:02}.md").write_text(page(number), encoding="utf-8")
    return [sys.executable, "-m", "mkdocs", "build", "--quiet", "--config-file", str(settings)]


def page(number: int) -> str:
    """Prose, lists and tables that stay the same."""
    sections = []
    for section in range(6):
        words = " ".join(f"word{(number + 7 * section + 3 * at) % 97}" for at in range(60))
        items = "\n".join(f"- **Item {at}** points to [page {at}](page-{at:02}.md)." for at in range(6))
        rows = "\n".join(f"| {at} | {(number * at) % 89 / 100:.2f} | `{words[at : at + 8]}` |" for at in range(12))
        sections.append(f"## Section {section}\n\n{words}.\n\n{items}\n\n| a | b | c |\n|---|--:|---|\n{rows}\n")
    return f"# Page {number}\n\n" + "\n".join(sections)


def memory() -> Path | None:
    """A folder in memory where there is one, because making a file costs what the disk costs."""
    folder = Path("/dev/shm")
    return folder if folder.is_dir() else None
