"""Text whose mentions are linked: files in the formats of CorefUD, GAP and WinoBias, and what a model reads of them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from generator.corpora.formats.conllu import ENDINGS, has_propositions, is_conllu, lines
from generator.corpora.kind import LEFT_OUT, Content, Corpus, Form, Kind
from generator.corpora.pairs import PairMaker, WordInput
from generator.errors import CorpusError
from generator.topics.mentions.corpus import winobias
from generator.topics.mentions.corpus.coreference import CorefDocument, truncate
from generator.topics.mentions.corpus.entities import HEADER, read_entities
from generator.topics.mentions.corpus.gap import read_gap

GAP = ".tsv"

Inputs = Mapping[str, tuple[CorefDocument, WordInput]]


def has_mentions(path: Path) -> bool:
    """Whether it is a file of GAP or of WinoBias, or a treebank whose comments say that mentions are linked."""
    linked = is_conllu(path) and any(line.startswith(HEADER) for line in lines(path))
    return path.name.endswith((GAP, *winobias.ENDINGS)) or (linked and not has_propositions(path))


def read_mentions(name: str, paths: Sequence[Path], skip_bad: bool = False) -> Content[CorefDocument]:
    """Read files of one format as one corpus. Raises CorpusError naming the file and the line."""
    if paths[0].name.endswith(winobias.ENDINGS):
        return winobias.read_winobias(name, paths, skip_bad)
    return (read_gap if paths[0].suffix == GAP else read_entities)(name, paths, skip_bad)


def mention_inputs(corpus: Corpus[CorefDocument], maker: PairMaker) -> dict[str, tuple[CorefDocument, WordInput]]:
    """Documents cut to one input, by name; those without a mention to score are left out.

    Clark et al. 2019, section 4.3, cut documents to 128 tokens. Raises CorpusError when fewer than two are left.
    """
    inputs = {}
    for document in corpus.items:
        short = truncate(document, maker.fitting(document.words))
        item = maker.words(document.id, short.words) if short.scored() else None
        if item is not None:
            inputs[document.id] = short, item
    if len(inputs) < 2:
        raise CorpusError(
            f"Expected at least two documents of {corpus.name} with a mention and its antecedent among the words that "
            f"fit into one input, found {len(inputs)} of {len(corpus.items)}; give more documents, or raise "
            "--max-tokens if they are longer."
        )
    return inputs


def counts_of(_corpus: Corpus[CorefDocument], inputs: Inputs) -> dict[str, int]:
    """Documents and scored mentions."""
    return {
        "documents": len(inputs),
        "mentions": sum(len(document.scored()) for document, _ in inputs.values()),
    }


MENTIONS = Kind(
    name="mentions",
    noun="text whose mentions are linked",
    unit="documents",
    counted={"documents": "documents", "mentions": "mentions"} | LEFT_OUT,
    form=Form.WORDS,
    endings=(GAP, *winobias.ENDINGS, *ENDINGS),
    recognises=has_mentions,
    read=read_mentions,
    inputs=mention_inputs,
    counts=counts_of,
)
KIND = MENTIONS
