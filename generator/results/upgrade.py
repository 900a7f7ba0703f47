"""Converts manifests of earlier formats to the current form; their tables stay as they are and have no checksums."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from pydantic import TypeAdapter

from generator.corpora.files import TEXT
from generator.corpora.frames import FRAMES
from generator.corpora.kind import Kind
from generator.corpora.kinds import TASK
from generator.corpora.mentions import MENTIONS
from generator.corpora.questions import QUESTIONS
from generator.corpora.treebank import TREEBANK
from generator.results.tables import FORMAT

OLDEST = FOUR = 4
"""The earliest format that can still be read."""


@dataclass(frozen=True)
class _Four:
    """The corpora as format 4 wrote them: name -> checksum for each kind but questions, which only `counts` has."""

    corpora: dict[str, str]
    treebanks: dict[str, str]
    mentions: dict[str, str]
    frames: dict[str, str]
    tasks: dict[str, str]
    counts: dict[str, dict[str, int]]
    languages: dict[str, str] = field(default_factory=dict)

    @property
    def listed(self) -> Iterator[tuple[Kind, str, str]]:
        """Kind, name and checksum of every corpus; the checksum is empty for questions."""
        kinds = (
            (TEXT, self.corpora),
            (TREEBANK, self.treebanks),
            (MENTIONS, self.mentions),
            (FRAMES, self.frames),
            (TASK, self.tasks),
        )
        known = {name for _, corpora in kinds for name in corpora}
        asked = {name: "" for name in self.counts if name not in known}
        for kind, corpora in (*kinds, (QUESTIONS, asked)):
            yield from ((kind, name, sha256) for name, sha256 in corpora.items())


def upgrade(data: Mapping[str, Any]) -> dict[str, Any]:
    """A manifest of format 4 or 5 in the current form. Raises ValidationError if it is broken."""
    if data["format"] > FOUR:
        return {**data, "tables": None, "format": FORMAT}
    four = TypeAdapter(_Four).validate_python(data)
    kept = {name: value for name, value in data.items() if name not in {one.name for one in fields(_Four)}}
    corpora = [
        {
            "name": name,
            "kind": kind.name,
            "sha256": sha256,
            "language": four.languages.get(name, ""),
            "counts": {key: n for key, n in four.counts.get(name, {}).items() if key in kind.counted},
        }
        for kind, name, sha256 in four.listed
    ]
    return kept | {"corpora": corpora, "tables": None, "format": FORMAT}
