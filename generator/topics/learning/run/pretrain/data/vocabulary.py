"""Makes a vocabulary of word pieces from text, and cuts text into pieces (Devlin et al. 2019, section 3; uncased)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import BertTokenizer, PreTrainedTokenizerBase

from generator.corpora.kind import Corpus
from generator.corpora.pairs import Document
from generator.errors import CorpusError
from generator.topics.learning.run.pretrain.data.text import sentences

SPECIALS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
"""Special tokens in the order of their ids, 0 to 4."""
PAD, UNKNOWN, BEGIN, SEPARATOR, MASK = range(len(SPECIALS))
CONTINUES = "##"
_AT_ONCE = 4096


@dataclass(frozen=True)
class Pieces:
    """A text as one long row of pieces, with the limits of sentences and documents."""

    ids: np.ndarray
    """[piece]"""
    sentences: np.ndarray
    """[sentence + 1]: the piece at which each sentence begins, and the end of the last."""
    documents: np.ndarray
    """[document + 1]: the sentence at which each document begins, and the end of the last."""


def train_vocabulary(corpus: Corpus[Document], size: int, max_tokens: int, segments: bool = True) -> BertTokenizer:
    """Train word pieces on a corpus; the same corpus always gives the same pieces. `segments` says whether the model
    that reads them is told of segments.

    The library numbers the letters that continue a word in the order of a hash table, and breaks ties by number; so a
    first training finds these letters, and a second one is given them in order.

    Raises CorpusError where the corpus has too little text for so many pieces.
    """
    # Letters first: given by name, they get the same numbers in every run.
    drawn = _train(corpus, len(SPECIALS), SPECIALS)
    letters = sorted(name for name in drawn.get_vocab() if name.startswith(CONTINUES))
    numbered = _train(corpus, size, (*SPECIALS, *letters)).get_vocab()
    tokenizer = _tokenizer(models.WordPiece(numbered, unk_token=SPECIALS[UNKNOWN]))
    found = tokenizer.get_vocab_size()
    if found != size:
        raise CorpusError(
            f"Expected text from which {size} word pieces can be made in {corpus.name}, found enough for {found}; "
            "give more text or set another vocabulary."
        )
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", SEPARATOR), ("[CLS]", BEGIN))
    told: dict[str, Any] = {} if segments else {"model_input_names": ["input_ids", "attention_mask"]}
    return BertTokenizer(tokenizer_object=tokenizer, do_lower_case=True, model_max_length=max_tokens, **told)


def _tokenizer(model: models.WordPiece) -> Tokenizer:
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece(prefix=CONTINUES)
    return tokenizer


def _train(corpus: Corpus[Document], size: int, first: Sequence[str]) -> Tokenizer:
    """A trained tokenizer whose first pieces are `first`; if the size leaves no room for more, it has only letters."""
    tokenizer = _tokenizer(models.WordPiece(unk_token=SPECIALS[UNKNOWN]))
    trainer = trainers.WordPieceTrainer(
        vocab_size=size, special_tokens=list(first), continuing_subword_prefix=CONTINUES, show_progress=False
    )
    tokenizer.train_from_iterator(chain.from_iterable(d.paragraphs for d in corpus.items), trainer)
    return tokenizer


def split_pieces(tokenizer: PreTrainedTokenizerBase, corpus: Corpus[Document]) -> Pieces:
    """Turn every sentence of a corpus into pieces, without special tokens."""
    ids: list[np.ndarray] = []
    lengths, documents = [0], [0]
    for document in corpus.items:
        parts = [sentence for paragraph in document.paragraphs for sentence in sentences(paragraph)]
        for found in _encode(tokenizer, parts):
            if found:  # nothing is left of control characters
                ids.append(np.array(found, dtype=np.int32))
                lengths.append(len(found))
        documents.append(len(ids))
    return Pieces(np.concatenate(ids), np.cumsum(lengths), np.array(documents))


def continuations(tokenizer: PreTrainedTokenizerBase) -> np.ndarray:
    """[piece of the vocabulary]: whether it continues a word."""
    names = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    return np.array([name.startswith(CONTINUES) for name in names])


def _encode(tokenizer: PreTrainedTokenizerBase, texts: list[str]) -> Iterator[list[int]]:
    for start in range(0, len(texts), _AT_ONCE):
        batch = texts[start : start + _AT_ONCE]
        for encoding in tokenizer.backend_tokenizer.encode_batch_fast(batch, add_special_tokens=False):
            yield encoding.ids
