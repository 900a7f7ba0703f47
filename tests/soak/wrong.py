"""Stored tables that cannot be, and names that try to act: refused in a sentence, or a site on which nothing is false
and nothing acts.
"""

import csv
import json
import random
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from generator.models.names import slug
from generator.results.ranges import record_of
from generator.results.tables import TABLES
from generator.visible import visible
from tests.analysed import analyse_plain, analyse_tiny
from tests.encoders import write as write_encoder
from tests.results.altered import renamed, resealed
from tests.results.samples import contents
from tests.site.documents import Document
from tests.soak.kills import call
from tests.test_pipeline import write_project

ONE, OTHER = "tiny-bert", "other"
PRODUCT = str(7193 * 7191)
"""What a template of a hostile name would print; no number of a site is that."""
PIECES = (
    *("\x1b[31m", "\x07", "\x7f", "\x9b", "\u202e", "\u2066", "\u200f", "\n", "\r", "\t", "\ud83d", "\uffff", "\u0301"),
    *(
        "<script>alert(9)</script>",
        "<img src=x onerror=alert(9)>",
        '"><svg onload=alert(9)>',
        "</title>",
        "<!--",
        "&lt;",
    ),
    *(
        "=1+2",
        "+1+2",
        "@SUM(A1)",
        "-1+2",
        "{{ 7193*7191 }}",
        "{% raw %}",
        "[x](javascript:alert(9))",
        "**b**",
        "`",
        "|",
    ),
    *(
        "../",
        "..",
        "/",
        "~",
        "%2e%2e%2f",
        "\\..\\",
        "C:",
        ".",
        " ",
        "#",
        "?",
        "CON",
        "w" * 90,
        "\u05e9\u05dc",
        "a",
        "$(x)",
    ),
)
ESCAPED = re.compile(r"(?<!\\)(?:\\\\)*\\u(?:00[0189][0-9a-f]|200[ef]|202[a-e]|206[6-9]|d[89a-f]|fff[ef])")
"""What a script turns into a mark when it is read."""
TEXTS = (".html", ".json", ".js", ".csv", ".xml", ".txt", ".md", ".svg")


class Guide:
    """A guide of two analysed models that was built once, and a sound copy of it."""

    def __init__(self, root: Path) -> None:
        self.root = write_project(root / "work" / "project", []).parent
        self.results = self.root / "build" / "results"
        model = write_encoder("bert", root / "models" / OTHER)
        analyse_plain(root / "models", self.results)
        analyse_tiny(model, self.results, self.root / "twelve.txt")
        self.told = root / "told"
        self.model, self.sound = model, root / "sound"
        if self.build():
            raise SystemExit(f"Expected a build to end well undisturbed, found: {self.said}")
        self.site = self.made()
        shutil.copytree(self.root.parent, self.sound)

    @property
    def said(self) -> str:
        """What the last command said."""
        return self.told.read_text(encoding="utf-8", errors="surrogateescape")

    def run(self, *words: object) -> int:
        """Run a command; gives its exit code."""
        return call([str(word) for word in words], self.told)

    def build(self) -> int:
        """Build the site from the results that are there; gives the exit code."""
        return self.run("build", "--config", self.root / "fieldguide.toml")

    def made(self) -> dict[str, bytes]:
        """The site, but for what tells the time."""
        return {name: body for name, body in contents(self.root / "site").items() if "sitemap" not in name}

    def heal(self) -> None:
        """Put everything right again, in the place where it was: paths are part of what is remembered."""
        shutil.rmtree(self.root.parent)
        shutil.copytree(self.sound, self.root.parent)


def wrong_table(guide: Guide, draw: random.Random, counts: Counter[str]) -> str:
    """Change one table, half of the time with the right checksum, and build; gives what was shown falsely."""
    folder = guide.results / draw.choice((ONE, OTHER))
    path = draw.choice(sorted(folder.glob("*.parquet")))
    change, sealed = draw.choice(sorted(CHANGES)), draw.random() < 0.5
    pq.write_table(CHANGES[change](guide, path, draw), path)
    if sealed:
        resealed(folder)
    code, said = guide.build(), guide.said
    left_out = str(path) in said and not (guide.root / "site" / "models" / folder.name).is_dir()
    if code == 0 and guide.made() == guide.site:
        outcome = "no different"
    elif "Expected " in said and (left_out or code == 1):
        outcome = "refused"
    elif sealed and change not in TOLD and code == 0:
        outcome = "as its checksum says"
    else:
        outcome = "shown"
    counts.update({"tables": 1, outcome: 1, "with a checksum": int(sealed)})
    guide.heal()
    lost = outcome == "shown" or code not in (0, 1) or "Traceback" in said
    return f"{path.name} of {folder.name} {change}, sealed {sealed}, exit {code}: {said[-1500:]}" if lost else ""


def _table(path: Path) -> pa.Table:
    return pq.read_table(path)


def _exchanged(guide: Guide, path: Path, draw: random.Random) -> pa.Table:
    """The table of the other model, or, where it has none, another table."""
    other = guide.results / (OTHER if path.parent.name == ONE else ONE) / path.name
    return _table(other) if other.is_file() else _of_another(guide, path, draw)


def _of_another(_: Guide, path: Path, draw: random.Random) -> pa.Table:
    return _table(draw.choice([one for one in sorted(path.parent.glob("*.parquet")) if one != path]))


def _lost(_: Guide, path: Path, draw: random.Random) -> pa.Table:
    table = _table(path)
    at = draw.randrange(max(1, len(table)))
    return pa.concat_tables([table[:at], table[at + draw.randint(1, 9) :]])


def _doubled(_: Guide, path: Path, draw: random.Random) -> pa.Table:
    table = _table(path)
    return pa.concat_tables([table, table.slice(draw.randrange(max(1, len(table))), draw.randint(1, 9))])


def _column_renamed(_: Guide, path: Path, draw: random.Random) -> pa.Table:
    names = list(_table(path).schema.names)
    names[draw.randrange(len(names))] += draw.choice(("s", " ", "\x1b[31m", "<b>"))
    return _table(path).rename_columns(names)


def _beyond(guide: Guide, path: Path, draw: random.Random) -> pa.Table:
    """Numbers of one column, all or one, that it may not hold."""
    frame = _table(path).to_pandas()
    numbers = [name for name in frame if pd.api.types.is_numeric_dtype(frame[name].dtype)]
    if not numbers or frame.empty:
        return _column_renamed(guide, path, draw)
    name = draw.choice(numbers)
    record = record_of(path.stem, name)
    least, most = record.limits if record else (-np.inf, np.inf)
    tried = (-7, 31000) if frame[name].dtype.kind == "i" else (-1e9, 1e9, np.inf)
    rows = slice(None) if draw.random() < 0.5 else draw.randrange(len(frame))
    wrong = [one for one in tried if not least <= one <= most or np.isinf(one)]
    frame.iloc[rows, frame.columns.get_loc(name)] = draw.choice(wrong)
    return pa.Table.from_pandas(frame, schema=TABLES[path.stem], preserve_index=False)


CHANGES: dict[str, Callable[[Guide, Path, random.Random], pa.Table]] = {
    "exchanged": _exchanged,
    "of another table": _of_another,
    "lost rows": _lost,
    "doubled rows": _doubled,
    "renamed column": _column_renamed,
    "beyond its range": _beyond,
}
TOLD = ("of another table", "renamed column", "beyond its range")
"""What the columns tell, whatever the checksum says."""


def hostile_names(guide: Guide, draw: random.Random, counts: Counter[str]) -> str:
    """Analyse a model, a corpus and documents of such names, or find them in results, and build; gives what acted."""
    model, corpus, document = ("".join(draw.choices(PIECES, k=draw.randint(1, 5))) for _ in range(3))
    before = _outside(guide)
    codes, told = zip(*_named(guide, model, corpus, document, draw), strict=True)
    said = "".join(told)
    acts = [*_acting(guide), *(["what was said"] if visible(said) != said else [])]
    acts += sorted(before ^ _outside(guide))
    counts.update({"names": 3, "refused" if any(codes) else "an inert page": 1})
    guide.heal()
    lost = acts or not {*codes} <= {0, 1, 2} or "Traceback" in said
    return f"{model!a}, {corpus!a}, {document!a}, exits {codes}: {acts[:5]}, {said[-1500:]!a}" if lost else ""


def _named(guide: Guide, model: str, corpus: str, document: str, draw: random.Random) -> Iterator[tuple[int, str]]:
    """Exit codes, and what was said. A name that no file can have stands in results."""
    work = guide.root.parent
    folder, text = work / model.replace("/", "_"), work / f"{corpus.replace('/', '_')}.jsonl"
    lines = ({"id": f"{document}{at}", "paragraphs": ["The old lighthouse stood.", "Ships passed."]} for at in range(9))
    try:
        shutil.copytree(guide.model, folder)
        text.write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
        stored = draw.random() < 0.3
    except (OSError, UnicodeError):
        stored = True
    if stored:
        place = guide.results / slug(model)
        try:
            shutil.copytree(guide.results / ONE, place)
        except (OSError, UnicodeError):
            place = Path(shutil.copytree(guide.results / ONE, guide.results / "unnamed"))
        renamed(place, model.encode("utf-8", "ignore").decode())  # tables hold no halves of pairs
    else:
        yield guide.run("analyze", folder, "--corpus", text, "--no-studies", "--results", guide.results), guide.said
        if draw.random() < 0.5:
            yield guide.run("add", folder, "--corpus", text, "--config", guide.root / "fieldguide.toml"), guide.said
    yield guide.build(), guide.said


def _outside(guide: Guide) -> set[str]:
    """What lies around the project: two folders up."""
    around = guide.root.parent.parent
    return {str(path) for path in around.iterdir()} | {str(path) for path in around.glob("models/*")}


def _acting(guide: Guide) -> list[str]:
    """Files of the site in which a name is more than text."""
    return [str(path) for path in sorted((guide.root / "site").rglob("*")) if path.suffix in TEXTS and _acts(path)]


def _acts(path: Path) -> bool:
    text = path.read_text(encoding="utf-8")
    if PRODUCT in text or (path.suffix != ".json" and "assets" not in path.parts and visible(text) != text):
        return True  # files of JSON hold data as they are
    if path.suffix == ".js" and text.startswith("window.fieldguide"):
        return bool(ESCAPED.search(text))
    if path.suffix == ".csv":
        cells = (cell for row in csv.reader(text.splitlines()) for cell in row)
        return any(cell.startswith(("=1", "+1+", "@SUM", "-1+")) for cell in cells)
    if path.suffix != ".html" or "alert(9)" not in text:
        return False
    elements = Document(text).elements
    held = (
        "".join(element.texts)
        for element in elements
        if element.tag == "script" and element.attributes.get("type", "") == ""
    )
    values = (
        value
        for element in elements
        for name, value in element.attributes.items()
        if name[:2] == "on" or "href" in name
    )
    return any("alert(9)" in one and one.strip().startswith(("alert", "javascript")) for one in (*held, *values))
