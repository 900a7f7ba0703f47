"""Exports the site as plain files that any engine can build: Markdown files with front matter and HTML."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from generator.config import Project
from generator.errors import SiteError
from generator.files import text_of
from generator.pages.citing import Work
from generator.pages.renderer import File, Page
from generator.progress import Report
from generator.site.build import configured
from generator.site.content import SCRIPTS, STYLE, Content

BLANK = re.compile(r"\n\s*\n")
LISTING = re.compile(r"(<pre\b.*?</pre>)", re.DOTALL)
PLUGIN = re.compile(r"^  - fieldguide\n", re.MULTILINE)
"""The plugin's line in the configuration, which is removed: exported pages are complete without it."""


def export(project: Project, folder: Path, report: Report) -> int:
    """Write the site's sources to a new or empty folder; returns how many pages there are.

    Raises SiteError if the folder has files, and FieldguideError as a build does.
    """
    if folder.exists() and not folder.is_dir():
        raise SiteError(f"Expected a new or empty folder, found a file at {folder}; name another.")
    if folder.exists() and any(folder.iterdir()):
        raise SiteError(f"Expected a new or empty folder, found files in {folder}; name another.")
    try:
        return _export(project, folder, report)
    except OSError as error:
        raise SiteError(
            f"Expected to write {error.filename or folder}, found: {error.strerror or error}; name a folder in which "
            "files can be made, with space for them."
        ) from None


def _export(project: Project, folder: Path, report: Report) -> int:
    docs = project.root / "docs"
    config = configured(project.root / "mkdocs.yml", project.file)
    work = Work.of_site(config.site_name, config.site_author)
    content = Content(project, docs, address=config.site_url or "", repository=config.repo_url or "", work=work)
    pages = 0
    for name, found in (*_pages(content), *_written(content, docs), *content.files()):
        target = folder / "docs" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        whole = found.read_bytes() if isinstance(found, Path) else found
        target.write_bytes(whole.encode() if isinstance(whole, str) else whole)
        pages += target.suffix == ".md"
    settings = PLUGIN.sub("", text_of(project.root / "mkdocs.yml", SiteError))
    loads = f"\nextra_css: {json.dumps([STYLE])}\nextra_javascript: {json.dumps(SCRIPTS)}\n"
    (folder / "mkdocs.yml").write_text(settings + loads, encoding="utf-8")
    for problem in content.problems:
        report.warn(problem)
    return pages


def _pages(content: Content) -> Iterator[File]:
    for name, page in content.pages.items():
        yield name, _source(page)
        yield from page.files


def _written(content: Content, docs: Path) -> Iterator[File]:
    """Hand-written pages, with their numbers and pictures filled in, and the files beside them."""
    for path in sorted(path for path in docs.rglob("*") if path.is_file()):
        name = path.relative_to(docs).as_posix()
        if path.suffix == ".md":
            address = name.removesuffix("index.md") if path.name == "index.md" else f"{name.removesuffix('.md')}/"
            yield name, content.knowledge.render(text_of(path, SiteError), address, name, content.problems)
            yield from content.renderer.drawn(address)
        else:
            yield name, path


def _source(page: Page) -> str:
    """The source of a page without empty lines, because in Markdown an empty line would end the HTML."""
    parts = LISTING.split(page.html)
    # Split with a group, so every second part is a listing.
    parts[::2] = [BLANK.sub("\n", part) for part in parts[::2]]
    # In a listing empty lines are text, and a reference stands for one without ending the HTML.
    parts[1::2] = [part.replace("\n\n", "\n&#10;") for part in parts[1::2]]
    about = f"title: {json.dumps(page.title)}\ndescription: {json.dumps(page.description)}"
    return f"---\n{about}\n---\n\n<div>\n{''.join(parts)}\n</div>\n"
