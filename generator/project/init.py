"""Makes the folder of a new guide: settings, hand-written pages, and the files for automatic rebuilds."""

import json
import re
import shutil
from pathlib import Path
from typing import NamedTuple

from generator.defaults import CORPORA
from generator.errors import SettingsError
from generator.home import HOME
from generator.project.program import Program, write

OWN = ("decisions.md", "gpu.md", "growth.md", "ported-statistics.md", "what-it-took.md")
"""Pages that a new guide does not get: they are about the program, or about models that come with it."""
PART = re.compile(r"<!-- of this project -->\n.*?<!-- end -->\n", re.DOTALL)
"""Matches a part of a page that is about the models that come with the program."""
LINK = re.compile(rf"\[([^\]]+)\]\((?:\.\./)*(?:{'|'.join(map(re.escape, OWN))})(?:#[^)]*)?\)")
"""Matches a link to one of those pages."""
SETTINGS = """# What `fieldguide build` analyses and shows; docs/reproduce.md has every key.
results = "build/results"
also = [] # further folders of results, which are shown whole

[analysis]
corpora = {corpora}
"""
IGNORED = "/build/\n/site/\n"
OURS = ("bench.yml", "release.yml", "test.yml", "properdocs.txt", "ray.txt", "tests.txt", "zensical.txt")
"""Workflows of the program itself, and what they install, which a new guide does not get."""
LOGO, MEASURED = Path("docs/assets/logo.svg"), "growth.json"
COPIED = (".github", "constraints.txt")
"""Files that a rebuild in a workflow needs."""


class Answers(NamedTuple):
    """What a guide says of itself."""

    title: str = "Our encoders"
    authors: str = ""
    """Who is cited; the guide by its title if nobody is named."""
    licence: str = ""
    """That of its text and numbers, in the footer of each page."""
    address: str = ""
    """Where it will stand; the workflow on GitHub knows that by itself."""
    logo: Path | None = None
    """A picture; without one, that of the program."""


def init(folder: Path, program: Program | None, answers: Answers = Answers()) -> None:  # noqa: B008 - it cannot be changed
    """Make the folder of a guide without models, with a workflow that installs the program, if that is given. Raises
    SettingsError if it has files in it or cannot be made, or if the logo cannot be read.
    """
    # Before anything is written, and not with the errors of the folder.
    picture = _picture(answers.logo) if answers.logo else b""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(path.name != ".git" for path in folder.iterdir()):
            raise SettingsError(f"Expected a new or empty folder, found files in {folder}; name another.")
        shutil.copytree(HOME / "docs", folder / "docs", ignore=shutil.ignore_patterns(*OWN, MEASURED))
        for page in (folder / "docs").rglob("*.md"):
            page.write_text(of_any_guide(page.read_text(encoding="utf-8")), encoding="utf-8")
        for name in COPIED if program else ():
            source = HOME / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns(*OURS))
            else:
                shutil.copy(source, folder / name)
        if program:
            write(program, folder)
        logo = answers.logo and (folder / LOGO).with_suffix(answers.logo.suffix)
        if logo:
            logo.write_bytes(picture)
        (folder / "mkdocs.yml").write_text(site(answers, logo.name if logo else LOGO.name), encoding="utf-8")
        (folder / "fieldguide.toml").write_text(SETTINGS.format(corpora=json.dumps(CORPORA)), encoding="utf-8")
        (folder / ".gitignore").write_text(IGNORED, encoding="utf-8")
    except OSError as error:
        raise SettingsError(
            f"Expected to write the guide in {folder}, found: {error.strerror}; name another folder."
        ) from None


def _picture(path: Path) -> bytes:
    """The bytes of a logo. Raises SettingsError naming it."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise SettingsError(
            f"Expected a picture for the logo at {path}, found: {error.strerror}; name another file."
        ) from None


def of_any_guide(page: str) -> str:
    r"""A hand-written page without what is true of the models that come with the program alone.

    >>> of_any_guide("See [Decisions](decisions.md#seeds).\n<!-- of this project -->\nOurs.\n<!-- end -->\nAll.\n")
    'See Decisions.\nAll.\n'
    """
    return LINK.sub(r"\1", PART.sub("", page))


def site(answers: Answers, logo: str) -> str:
    """The configuration of the site: that of the program's own, with what this guide says of itself."""
    lines = (HOME / "mkdocs.yml").read_text(encoding="utf-8").splitlines(keepends=True)
    text = "".join(line for line in lines if not any(line.endswith(f" {name}\n") for name in OWN))
    own = {
        "site_name": answers.title,
        "site_description": f"{answers.title}: a field guide to attention heads.",
        "site_author": answers.authors or answers.title,
    }
    head = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in own.items())
    if answers.licence:
        head += f"copyright: {json.dumps(answers.licence, ensure_ascii=False)}\n"
    text = head + re.sub(rf"^(?:{'|'.join(own)}):.*\n", "", text, flags=re.MULTILINE)
    text = text.replace('site_url: !ENV [SITE_URL, ""]', f"site_url: !ENV [SITE_URL, {json.dumps(answers.address)}]")
    return text.replace(f"assets/{LOGO.name}", f"assets/{logo}")
