"""A treebank of few sentences."""

from functools import cache

from generator.corpora.kind import Corpus
from generator.corpora.treebank import TREEBANK, Sentence, Word, read_treebank
from generator.home import DATA

NAME = "some trees"
FILES = sorted((DATA / "corpora" / "treebank").glob("*.conllu"))
SHORT = Sentence(
    "short", (Word("the", "DET", 2, "det"), Word("sea", "NOUN", 3, "nsubj"), Word("froze", "VERB", 0, "root"))
)


@cache
def few():
    """Short sentences, enough to teach probes, and one of three words for the examples of deciles."""
    some = [item for item in read_treebank("treebank", FILES).items if len(item.words) < 15]
    return [*some[:22], SHORT]


def bank(sentences, name=NAME):
    """A corpus of these sentences."""
    return Corpus(name, TREEBANK, "0" * 64, tuple(sentences))
