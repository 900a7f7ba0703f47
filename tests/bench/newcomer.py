"""What somebody waits for at first: a run on a text and a treebank of their own.

A first run is the command in a fresh process, its start and what it compiles included, with an encoder of base size in
a folder. What it takes is divided by bare forward passes of the same text and sentences, eager and as fast as
transformers are by themselves.
"""

import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from generator.corpora.files import TEXT
from generator.corpora.kind import Corpora, Corpus
from generator.corpora.opening import open_corpora
from generator.corpora.pairs import Document
from tests.bench import material
from tests.bench.analysis import reads
from tests.bench.record import Row, cpu, cpu_of

TEXTS, SENTENCES, HIDDEN = 20, 300, 768
WORDS = 600
"""Words of each text: an article that has fewer goes on with the next."""


def texts(count: int = TEXTS) -> list[Document]:
    """So many texts of 600 words, of the articles that come with the program."""
    paragraphs = [paragraph for item in open_corpora(["articles"]).all[0].items for paragraph in item.paragraphs]
    found, at = [], 0
    for number in range(count):
        own: list[str] = []
        while sum(len(one.split()) for one in own) < WORDS:
            own.append(paragraphs[at % len(paragraphs)])
            at += 1
        found.append(Document(f"text {number + 1}", tuple(own)))
    return found


def written(place: Path) -> list[Path]:
    """A text and a treebank as files in a folder. Raises AbsentError without the treebank."""
    text, bank = place / "mine.txt", place / "mine.conllu"
    text.write_text(
        "\n\n\n".join(f"# {string.id}\n\n" + "\n\n".join(string.paragraphs) for string in texts()), encoding="utf-8"
    )
    sentences = material.public("ud-english-ewt", "en_ewt-ud-test.conllu").read_text(encoding="utf-8").split("\n\n")
    bank.write_text("\n\n".join([*sentences[:SENTENCES], ""]), encoding="utf-8")
    return [text, bank]


def _first_run(attention: str, rounds: int) -> Iterator[float]:
    which = material.model(HIDDEN)
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        which.encoder.model.save_pretrained(place / "encoder")
        which.encoder.tokenizer.save_pretrained(place / "encoder")
        corpora = [word for path in written(place) for word in ("--corpus", str(path))]
        command = [sys.executable, "-m", "generator", "analyze", str(place / "encoder"), *corpora, "--device", "cpu"]
        items = material.inputs(which, open_corpora([word for word in corpora if word != "--corpus"]))
        bare = partial(material.bare, which, items, attention)
        for number in range(rounds):
            took = cpu_of([*command, "--results", str(place / f"results {number}")])
            bare()
            yield took / cpu(bare)


def _texts() -> Corpora:
    return Corpora((Corpus("mine", TEXT, "0" * 64, tuple(texts()), "en"),))


ROWS = (
    *(
        Row(
            f"newcomer.{name}",
            f"first run on {TEXTS} texts and {SENTENCES} sentences / bare {name} pass",
            most,
            least,
            run,
        )
        for name, most, least in (("eager", 8.0, 5.0), ("sdpa", 9.0, 5.5))
        for run in (partial(_first_run, name),)
    ),
    Row(
        "newcomer.reads",
        f"tokens that models read in an analysis of {TEXTS} texts / theirs",
        2.6,
        2.0,
        partial(reads, _texts, False),
    ),
)
