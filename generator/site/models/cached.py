"""Keeps the pages of models that would be the same if they were made again, and takes them from the last site.

A page below a model's address shows only that model, so it depends on the model's results and on what is the same for
all models: the code, the templates, the hand-written pages with the menu that they make, the configuration, the
libraries. Pages that show several models, such as comparisons, are made in every build.
"""

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig

from generator.files import Files, Known, damaged, look
from generator.home import DATA, TEMPLATES
from generator.pages import addresses
from generator.results.manifest import checksum_of
from generator.results.store import Results
from generator.site.stamp import Stamp, variables
from generator.topics import PROGRAM

ASSETS = addresses.ASSETS
INDEX = "search/search_index.json"
PAGE = "index.html"


def setting(config: MkDocsConfig, templates: Path, known: Known) -> str:
    """Checksum of everything except results from which pages of models are made; `known` files are not read again."""
    root = Path(config.config_file_path).parent
    hooks: Any = config.hooks  # modules by their names, or an empty list
    own = [config.theme.custom_dir, *(module.__file__ for module in dict(hooks).values())]
    places: list[str | Path] = [config.docs_dir, templates, TEMPLATES, DATA / "claims", DATA / "published"]
    places.append(Path(config.config_file_path))
    files = look([*places, *PROGRAM, *(Path(str(place)) for place in own if place)], known)
    facts = {
        "files": {path: content for path, (_, _, content) in files.items()},
        "variables": variables(root),
        "addresses": [config.site_url, config.repo_url],
        # The folders beside installed packages have versions in their names.
        "libraries": sorted(path.name for place in sys.path for path in Path(place).glob("*-info")),
    }
    return checksum_of(facts)


class CachedPages:
    """Knows which models' pages are taken from the last site, and from what the pages of all models are made."""

    def __init__(self, setting: str = "", last: Stamp | None = None) -> None:
        """Without a last build nothing can be kept."""
        self.made: dict[str, str] = {ASSETS: setting}
        """Slug -> checksum of everything from which a model's pages are made, for models that were asked for."""
        self._setting = setting
        self._site = Path(last.site) if last else Path()
        self.read: Files = last.read if last else {}
        """The files that the last build read; what has the same size and time has the same content."""
        self._recorded: Files = last.written if last else {}
        self._known: Mapping[str, str] = {}
        self._written: dict[str, list[str]] = {}
        if last:
            lost, incomplete = damaged(last.written), set()
            for path in last.written:
                name = path[len(last.site) + 1 :].replace(os.sep, "/")
                if slug := owner_of(name):
                    self._written.setdefault(slug, []).append(name)
                    if path in lost:
                        incomplete.add(slug)
            index = f"{last.site}{os.sep}{INDEX.replace('/', os.sep)}"  # read again, unlike pages
            if not damaged({index: last.written[index]} if index in last.written else {}, verify=True):
                self._known = {slug: made for slug, made in last.models.items() if slug not in incomplete}

    def holds(self, results: Results) -> bool:
        """Whether the last site has the pages of these results just as they would be made now."""
        slug = results.manifest.slug
        self.made[slug] = checksum_of({"results": results.checksum, "setting": self._setting})
        return self._known.get(slug) == self.made[slug]

    @property
    def assets(self) -> bool:
        """Whether the last site has styles and scripts as they would be made now; compiling charts takes seconds."""
        return self._known.get(ASSETS) == self._setting

    @property
    def slugs(self) -> Sequence[str]:
        """The slugs of the models whose pages are kept, in their order."""
        return [slug for slug, made in self.made.items() if slug != ASSETS and self._known.get(slug) == made]

    @property
    def pages(self) -> Iterator[str]:
        """The addresses of the kept pages."""
        return (name.removesuffix(PAGE) for name in self._files if name.endswith(f"/{PAGE}"))

    @property
    def _files(self) -> Iterator[str]:
        return (
            name
            for slug, made in self.made.items()
            if self._known.get(slug) == made
            for name in self._written.get(slug, ())
        )

    @property
    def written(self) -> Files:
        """The kept files as the last build recorded them."""
        paths = (f"{self._site}/{name}".replace("/", os.sep) for name in self._files)
        return {path: self._recorded[path] for path in paths}

    @cached_property
    def places(self) -> Sequence[str]:
        """The kept files, and the folders that hold only kept files, by their names in the site."""
        return sorted({place_of(name) for name in self._files})

    def found(self) -> list[dict[str, Any]]:
        """The entries of the last site's search index for the kept pages."""
        if not self.slugs:
            return []
        slugs, docs = set(self.slugs), json.loads((self._site / INDEX).read_bytes())["docs"]
        return [doc for doc in docs if owner(doc) in slugs]


def owner(found: Mapping[str, Any]) -> str:
    """Slug of the model whose page an entry of the search index is about; empty if it is about all models."""
    return owner_of(found["location"].partition("#")[0] + PAGE)


def place_of(name: str) -> str:
    """What is kept with an owner's file: the folder of all of its files there, or the file alone.

    >>> place_of("models/tiny/heads/1-1/index.html"), place_of("claims/c01/tiny.csv")
    ('models/tiny', 'claims/c01/tiny.csv')
    """
    parts = name.split("/")
    return name if parts[0] == addresses.CLAIMS[:-1] else "/".join(parts[:2])


def owner_of(name: str) -> str:
    """The owner of a file of the site, by its name: the slug of a model, or the folder of styles and scripts; empty for
    files about all models.

    >>> owner_of("models/tiny/heads/1-1/index.html"), owner_of("data/tiny@curve/heads.parquet"), owner_of("models/")
    ('tiny', 'tiny', '')
    >>> owner_of("claims/c01/tiny.csv"), owner_of("claims/c01/index.html"), owner_of("assets/fieldguide/embed.js")
    ('tiny', '', 'assets/fieldguide/')
    """
    parts = name.split("/")
    if name.startswith(ASSETS):
        return ASSETS
    if parts[0] == addresses.CLAIMS[:-1] and len(parts) > 2 and parts[-1].endswith(".csv"):
        return parts[-1].removesuffix(".csv")
    if f"{parts[0]}/" in (addresses.MODELS, addresses.DATA) and len(parts) > 2:
        return parts[1].partition("@")[0]
    return ""
