"""What a run makes from its text before the first step: vocabulary, pieces, held-out inputs and what is watched."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from transformers import AutoTokenizer, PreTrainedTokenizerBase

from generator.corpora.kind import Corpus
from generator.corpora.pairs import Document
from generator.progress import Report
from generator.topics.learning.run.pretrain.data.masking import Masking
from generator.topics.learning.run.pretrain.data.packed import pack, unpack
from generator.topics.learning.run.pretrain.data.text import find_split, named, read_split
from generator.topics.learning.run.pretrain.data.vocabulary import Pieces, continuations, split_pieces, train_vocabulary
from generator.topics.learning.run.pretrain.evaluation import HeldOut, hold_out
from generator.topics.learning.run.pretrain.parallel import Processes
from generator.topics.learning.run.pretrain.settings import Pretraining
from generator.topics.learning.run.pretrain.state import COUNTS, claim_folder, write_counts, write_folder
from generator.topics.learning.run.pretrain.watch import Watched, watched

TOKENIZER = "tokenizer"


@dataclass(frozen=True)
class Material:
    """What a run makes of its text; it is the same in every process."""

    tokenizer: PreTrainedTokenizerBase
    train: Pieces
    masking: Masking
    held_out: HeldOut
    watched: Watched


def prepare(
    settings: Pretraining,
    data: Path | Sequence[Path],
    out: Path,
    processes: Processes,
    report: Report,
    treebank: Path | None = None,
) -> Material:
    """Read the text, train the vocabulary and cut the text into pieces, or read what is stored of these already. A run
    whose pieces are stored needs no training text; where it is given, it has to be the same.

    Raises CorpusError if text or treebank is missing or too short, ResultsError if `out` holds another run.
    """
    folder = out / TOKENIZER
    with processes.together():
        stored = unpack(out) if folder.is_dir() else None
        train = read_split(data, "train") if stored is None or find_split(data, "train") else stored
        valid = read_split(data, "valid")
        if processes.main:
            claim_folder(out, {"settings": settings.identity, "text": {"train": train.sha256, "valid": valid.sha256}})
            if isinstance(train, Corpus) and (stored is None or stored.sha256 != train.sha256):
                _store(settings, train, out, report)
    with processes.together():
        tokenizer = _tokenizer(out)
        words = continuations(tokenizer) if settings.whole_words else None
        masking = Masking(settings.masked, settings.to_mask, settings.to_random, words)
        packed = unpack(out)
        assert packed
        pieces = packed.pieces
        if processes.main and not (out / COUNTS).exists():
            names = tokenizer.convert_ids_to_tokens(list(range(settings.vocabulary)))
            counts = np.bincount(pieces.ids, minlength=settings.vocabulary).tolist()
            write_counts(out, dict(zip(names, counts, strict=True)))
        report.note(f"Training text: {len(pieces.documents) - 1} documents, {len(pieces.ids):,} pieces.")
        held_out = hold_out(settings, split_pieces(tokenizer, valid), pieces, masking, named(data))
        looked_at = watched(tokenizer, valid, treebank, settings.max_tokens, settings.seed)
    return Material(tokenizer, pieces, masking, held_out, looked_at)


def _store(settings: Pretraining, train: Corpus[Document], out: Path, report: Report) -> None:
    if not (out / TOKENIZER).is_dir():
        report.note(f"Training a vocabulary of {settings.vocabulary} pieces.")
        made = train_vocabulary(train, settings.vocabulary, settings.max_tokens, settings.segments)
        write_folder(out / TOKENIZER, made.save_pretrained)
    pack(out, train.sha256, split_pieces(_tokenizer(out), train))


def _tokenizer(out: Path) -> PreTrainedTokenizerBase:
    found: PreTrainedTokenizerBase = AutoTokenizer.from_pretrained(out / TOKENIZER, trust_remote_code=False)
    return found
