"""The command as a test calls it, and a corpus to give it.

`python -m tests.cli.command JSON` calls it several times in a process of its own, and prints how each ended; without
JSON it takes one call a line from what it reads.
"""

import contextlib
import io
import json
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from generator.cli.app import main
from tests.encoders import SENTENCES

ROOT = Path(__file__).resolve().parents[2]


class Outcome(NamedTuple):
    """How a command ended and what it said."""

    exit: int
    out: str
    err: str


def fieldguide(*words: object) -> Outcome:
    """Run the command line in this process, up to and with its exit code."""
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()) as out:
        patch.setattr(sys, "argv", ["fieldguide", *map(str, words)])
        with contextlib.redirect_stderr(io.StringIO()) as err, pytest.raises(SystemExit) as end:
            main()
    return Outcome(end.value.code or 0, out.getvalue(), err.getvalue())


def write_corpus(path: Path, documents: int, paragraphs: int = 2) -> Path:
    """A file of so many documents with sentences that differ from one to the next."""
    texts = []
    for number in range(documents):
        lines = [SENTENCES[(number + step) % len(SENTENCES)] for step in range(paragraphs)]
        texts.append("\n\n".join([f"# d{number}", *lines]))
    path.write_text("\n\n".join(texts) + "\n")
    return path


if __name__ == "__main__":
    for words in json.loads(sys.argv[1]) if sys.argv[1:] else map(json.loads, sys.stdin):
        print(json.dumps(fieldguide(*words)), flush=True)
