"""What changed in a frozen file, and how such a file is written again: where something changed, and nowhere else.

The test of a frozen file and the command that renews it both ask for its `Renewal`, so what the test complains of is
what the command writes.
"""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Renewal:
    """A frozen file beside what the code makes now."""

    changes: list[str]
    """What is new, gone or changed, told one by one."""
    text: str
    """What the file is to hold: whatever did not change stands as it stood."""
    compared: str
    """How much was compared."""

    def complaint(self, command: str) -> str:
        """All changes, and the command that accepts them."""
        return "\n".join([*self.changes, f"If this is meant, run python -m {command}."])

    def write(self, file: Path) -> str:
        """Write the file if something changed; what a person is told of it."""
        if not self.changes:
            return f"Nothing changed: {self.compared}."
        file.write_text(self.text, encoding="utf-8")
        return "\n".join([*self.changes, f"{file.name} is renewed."])
