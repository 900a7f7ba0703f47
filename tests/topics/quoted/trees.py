"""A treebank of sentences like the example, and of others, and what the command makes of it with a tiny model."""

from collections.abc import Sequence
from pathlib import Path

from tests.cli.command import fieldguide
from tests.encoders import write

LIKE = (
    "A letter came each month .",
    "In winter the sea froze",
    "Birds and boats stayed there ! !",
    "Rain wore the old door .",
)
"""Five words, some with marks behind them."""
UNLIKE = ("Rain , wind and salt", "He read it twice .", "It came", "He put it in a drawer .")
MARKS = ".,!"


def conllu(sentences: Sequence[str]) -> str:
    """A treebank of these, each word hanging on the one before it."""
    return "\n".join(_tree(at, text.split()) for at, text in enumerate(sentences))


def _tree(at: int, words: Sequence[str]) -> str:
    lines = []
    for place, word in enumerate(words, start=1):
        tag, name = "PUNCT" if word in MARKS else "X", "dep" if place > 1 else "root"
        lines.append(f"{place}\t{word}\t_\t{tag}\t_\t_\t{place - 1}\t{name}\t_\t_")
    return "\n".join([f"# sent_id = s{at}", *lines, ""])


def examples(root: Path) -> Path:
    """Put a model and a treebank into a folder, and what the command makes of them; returns the folder of results."""
    model = write("bert", root / "model")
    (root / "trees.conllu").write_text(conllu([*LIKE, *UNLIKE]), encoding="utf-8")
    code, said, error = fieldguide("quoted", model, "--corpus", root / "trees.conllu", "--results", root / "results")
    assert (code, said.strip()) == (0, str(root / "results" / "model@quoted")), error
    return root / "results" / "model@quoted"
