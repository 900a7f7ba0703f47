"""The field in which a reader types a sentence."""

import json
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from generator.pages import addresses
from generator.pages.heads.atlas import Atlas
from generator.results.extras import made_of
from generator.topics.live.page.scripts import FIELD

EXTRA = "live"
"""The folder of the model's files, below its address."""
FILE = "model.json"
USUAL = "live.js"
"""The script beside the model's page with what each head usually does."""


@dataclass(frozen=True)
class Field:
    """A field, and where its script finds the model."""

    template: ClassVar[str] = "live"
    model: str
    """The address of the file that says all of the model but its weights."""
    bytes: int
    crc32: int
    """Size and checksum of that file."""
    total: int
    """The bytes of all that is fetched."""
    usual: str
    """The address of the script with what each head usually does."""
    script: str
    label: str
    example: str
    size: str
    """All that is fetched, in words."""
    otherwise: str
    """What a reader without scripts would see here."""
    head: str = ""
    """The head that is shown; empty for all."""
    data: str = ""
    """JSON of what each head usually does, if this page has it beside it."""
    file: str = USUAL
    """The name of the script that holds it."""


@dataclass(frozen=True)
class Files:
    """The files of a model that a browser runs."""

    folder: Path
    bytes: int
    crc32: int
    total: int

    @property
    def size(self) -> str:
        """How much is fetched, in words."""
        return f"{self.total / 1e6:.1f} MB"


def address(slug: str) -> str:
    """The address of the model's page."""
    return f"{addresses.model(slug)}sentence/"


def files_of(atlas: Atlas) -> Files | None:
    """The files of the model; None if the site has none."""
    folder = made_of(atlas.results, EXTRA)
    if folder is None:
        return None
    whole = (folder / FILE).read_bytes()
    return Files(folder, len(whole), zlib.crc32(whole), len(whole) + json.loads(whole)["bytes"])


def field_of(files: Files, slug: str, page: str, otherwise: str, head: str = "", data: str = "") -> Field:
    """The field on a page of the model."""
    return Field(
        model=addresses.relative(f"{addresses.model(slug)}{EXTRA}/{FILE}", page),
        bytes=files.bytes,
        crc32=files.crc32,
        total=files.total,
        usual=addresses.relative(f"{address(slug)}{USUAL}", page),
        script=addresses.relative(f"{addresses.ASSETS}{FIELD}", page),
        label="Type your own sentence",
        example="The cat sat on the mat.",
        size=files.size,
        otherwise=otherwise,
        head=head,
        data=data,
    )
