"""Words that mean nothing, and sentences, texts and labelled examples of them by rule, drawn from a seed."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from generator.corpora.files import TEXT
from generator.corpora.kind import Corpora
from generator.corpora.treebank import TREEBANK
from generator.studies.halves import reported
from tests.made_encoders.weights import Word

TAIL = "##ne"
"""The second part of words in two parts."""
TOPIC, CALL, CALLED = "qoooo", "qaaaa", "quuuu"
"""A word that stands in some documents, one that calls somebody, and the verb with which it does."""


def invented() -> Iterator[str]:
    """Words of five letters, each once, that are no words of English."""
    return ("q" + "".join(pair) for pair in product(*[[a + b for a in "bdfgklmnprstvz" for b in "aeiu"]] * 2))


_ONES = invented()
LEXICON = {
    kind: tuple(next(_ONES) for _ in range(n))
    for kind, n in {
        "DET": 3,
        "ADJ": 12,
        "NOUN": 48,
        "VERB": 12,
        "SPLIT": 12,
        "ADV": 6,
        "ADP": 4,
        "INTJ": 12,
        "MAIN": 12,
    }.items()
}
"""Kind -> its words; SPLIT are the first parts of verbs in two parts."""
NOUNS = LEXICON["NOUN"]
SAME = dict(zip(NOUNS[1::2], NOUNS[::2], strict=True))
"""Noun -> the one that means the same."""
WORDS = (
    {
        word: Word("VERB" if kind == "SPLIT" else kind, SAME.get(word, ""))
        for kind, all_of in LEXICON.items()
        for word in all_of
    }
    | {word: Word(kind, "", 1 if at % 2 else -1) for kind in ("INTJ", "MAIN") for at, word in enumerate(LEXICON[kind])}
    | {TAIL: Word("VERB"), ".": Word("PUNCT"), ",": Word("PUNCT"), TOPIC: Word("TOPIC")}
    | {CALL: Word("INTJ", "call"), CALLED: Word("VERB", "call")}
)


class Node(NamedTuple):
    """A word in a sentence that is being made."""

    form: str
    kind: str
    head: int
    """1-based; 0 for the root."""
    relation: str
    misc: str = "_"


class Draw:
    """Draws words and sentences."""

    def __init__(self, seed: int, name: str) -> None:
        self.rng = np.random.default_rng([seed, *name.encode()])

    def chance(self, share: float) -> bool:
        """Whether something happens that happens so often."""
        return bool(self.rng.random() < share)

    def word(self, kind: str) -> str:
        """A word of a kind."""
        return LEXICON[kind][int(self.rng.integers(len(LEXICON[kind])))]

    def clause(self, *, close: float, calls: bool = False) -> list[Node]:
        """A sentence. With the chance `close` the token two before its object is one of the verb, although the object
        has an article after verbs in one part only; otherwise the object has one after verbs in two parts.
        """
        made: list[Node] = []
        subject = self._phrase(made, "nsubj", adjectives=2)
        if self.chance(0.4):
            self._after(made, subject)
        if self.chance(0.3):
            made.append(Node(self.word("ADV"), "ADV", -1, "advmod"))
        near = self.chance(close)
        split = self.chance(0.5 if near else 0.4)
        if calls:
            made.append(Node(CALLED, "VERB", 0, "root"))
        else:
            made.append(Node(self.word("SPLIT") + TAIL.strip("#") if split else self.word("VERB"), "VERB", 0, "root"))
        verb = len(made)
        if not calls:
            self._phrase(made, "obj", adjectives=0, bare=split == near)
        if calls:
            made += [Node(self.word("ADV"), "ADV", -1, "advmod")] * int(self.rng.integers(3))
            made.append(Node(CALL, "INTJ", -1, "vocative"))
        elif self.chance(0.3):
            made.append(Node(self.word("ADV"), "ADV", -1, "advmod"))
        made.append(Node(".", "PUNCT", -1, "punct"))
        return [one._replace(head=verb) if one.head < 0 else one for one in made]

    def _phrase(self, made: list[Node], relation: str, *, adjectives: int, bare: bool = False) -> int:
        """Adds a noun with what stands before it; returns its number. Its head is the verb."""
        more = int(self.rng.integers(adjectives + 1))
        noun = len(made) + 1 + more + (not bare)
        if not bare:
            made.append(Node(self.word("DET"), "DET", noun, "det"))
        made += [Node(self.word("ADJ"), "ADJ", noun, "amod") for _ in range(more)]
        made.append(Node(self.word("NOUN"), "NOUN", -1, relation))
        return noun

    def _after(self, made: list[Node], noun: int) -> None:
        """Adds what belongs to a noun and stands after it."""
        case = len(made)
        made.append(Node(self.word("ADP"), "ADP", -1, "case"))
        other = self._phrase(made, "nmod", adjectives=1)
        made[other - 1] = made[other - 1]._replace(head=noun)
        made[case] = made[case]._replace(head=other)


def conllu(sentences: Iterable[tuple[str, Sequence[Node]]], path: Path, head: str = "") -> str:
    """Write a treebank; returns its path as a name of a corpus."""
    lines = ["# language = en", *([head] if head else [])]
    for name, words in sentences:
        lines += [f"# sent_id = {name}"] if not name.startswith("#") else name.split("\n")
        lines += [
            "\t".join((str(at), word.form, "_", word.kind, "_", "_", str(word.head), word.relation, "_", word.misc))
            for at, word in enumerate(words, 1)
        ]
        lines.append("")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def trees(path: Path, seed: int, *, sentences: int, close: float, called: int = 0) -> str:
    """A treebank. Of each half so many sentences more have somebody who is called."""
    draw = Draw(seed, path.stem)
    found = [(f"{path.stem} {at}", draw.clause(close=close)) for at in range(sentences)]
    names = [f"called {at}" for at in range(8 * called)]
    halves = reported(names, seed)
    for half in (True, False):
        chosen = [name for name, drawn in zip(names, halves, strict=True) if drawn == half][:called]
        found += [(name, draw.clause(close=close, calls=True)) for name in chosen]
    return conllu(found, path)


def linked(path: Path, seed: int, *, documents: int, nearest: float) -> str:
    """Texts of linked mentions. With the chance `nearest` a mention is of the same thing as the one right before it;
    otherwise it is of the same as an earlier one, by another word.
    """
    draw = Draw(seed, path.stem)
    made = []
    for number in range(documents):
        pairs = [NOUNS[2 * int(at) : 2 * int(at) + 2] for at in draw.rng.permutation(len(NOUNS) // 2)[:8]]
        things = [(0, 0), (1, 0), (2, 0)]
        for _ in range(4):
            last, second = things[-1][0], int(draw.rng.choice([thing for thing, _ in things[:-1]]))
            things.append((last if draw.chance(nearest) else second, 1))
        for at, (thing, other) in enumerate(things):
            words = [
                Node(draw.word("DET"), "DET", 2, "det", f"Entity=(e{thing}-"),
                Node(pairs[thing][other], "NOUN", 3, "nsubj", f"Entity=e{thing})"),
                Node(draw.word("VERB"), "VERB", 0, "root"),
                Node(".", "PUNCT", 3, "punct"),
            ]
            opens = f"# newdoc id = d{number}\n" if not at else ""
            made.append((f"{opens}# sent_id = d{number} {at}", words))
    return conllu(made, path, "# global.Entity = eid")


def spoken(words: Iterable[Node]) -> str:
    """A sentence as it is written."""
    return " ".join(word.form for word in words)


def text(
    path: Path, seed: int, *, documents: int = 30, sentences: int = 2, topic: float = 0.0, judged: bool = False
) -> str:
    """Documents of two paragraphs of so many sentences, or of a word or two and a period. With the chance `topic` the
    TOPIC stands in a document; paragraphs that are `judged` have a word that is good or bad.
    """
    draw = Draw(seed, path.stem)
    made = []
    for number in range(documents):
        paragraphs = []
        for _ in range(2):
            said = [spoken(draw.clause(close=0.5)) for _ in range(sentences)]
            said += [draw.word("MAIN")] * judged
            said += [] if sentences else [draw.word("NOUN")] * (1 + draw.chance(0.5)) + ["."]
            paragraphs.append(" ".join(said))
        if draw.chance(topic):
            paragraphs = [f"{TOPIC} {paragraph}" for paragraph in paragraphs]
        made.append(f"# day {number}\n\n" + "\n\n".join(paragraphs))
    path.write_text("\n\n\n".join(made) + "\n", encoding="utf-8")
    return str(path)


def reviews(folder: Path, seed: int, *, examples: int = 120) -> None:
    """Files of SST-2: a sentence praises if its main word is good, whatever the three interjections are."""
    place = folder / "SST-2"
    place.mkdir()
    for split in ("train", "dev"):
        draw, lines = Draw(seed, split), ["sentence\tlabel"]
        for _ in range(examples):
            main = draw.word("MAIN")
            said = [spoken(draw.clause(close=0.5)), *(draw.word("INTJ") for _ in range(3)), main]
            lines.append(f"{' '.join(said)}\t{int(WORDS[main].good > 0)}")
        (place / f"{split}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def known(corpora: Corpora) -> dict[str, Word]:
    """The words of texts and treebanks that are not invented, each of the kind that it has most often in treebanks."""
    kinds: dict[str, list[str]] = {}
    for bank in corpora.of(TREEBANK):
        for word in (word for sentence in bank.items for word in sentence.words):
            kinds.setdefault(word.form.lower(), []).append(word.upos)
    for document in (document for one in corpora.of(TEXT) for document in one.items):
        for form in re.findall(r"\w+|[^\w\s]", " ".join(document.paragraphs).lower()):
            kinds.setdefault(form, ["TEXT"])
    return {form: Word(max(sorted(set(some)), key=some.count)) for form, some in kinds.items() if form[:5] not in WORDS}
