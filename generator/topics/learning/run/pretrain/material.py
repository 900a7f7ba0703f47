"""What a run makes from its text before the first step: vocabulary, pieces, held-out inputs and what is watched."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from transformers import AutoTokenizer, PreTrainedTokenizerBase

from generator.progress import Report
from generator.topics.learning.run.pretrain.data.masking import Masking
from generator.topics.learning.run.pretrain.data.text import named, read_split
from generator.topics.learning.run.pretrain.data.vocabulary import Pieces, continuations, split_pieces, train_vocabulary
from generator.topics.learning.run.pretrain.evaluation import HeldOut, hold_out
from generator.topics.learning.run.pretrain.parallel import Processes
from generator.topics.learning.run.pretrain.settings import Pretraining
from generator.topics.learning.run.pretrain.state import claim_folder, write_counts, write_folder
from generator.topics.learning.run.pretrain.watch import Watched, watched


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
    """Read the text and train the vocabulary, or read the vocabulary if it is stored already.

    Raises CorpusError if text or treebank is missing or too short, ResultsError if `out` holds another run.
    """
    folder = out / "tokenizer"
    with processes.together():
        train, valid = read_split(data, "train"), read_split(data, "valid")
        if processes.main:
            run = {"settings": settings.identity, "text": {"train": train.sha256, "valid": valid.sha256}}
            claim_folder(out, run)
            if not folder.is_dir():
                report.note(f"Training a vocabulary of {settings.vocabulary} pieces.")
                made = train_vocabulary(train, settings.vocabulary, settings.max_tokens, settings.segments)
                write_folder(folder, made.save_pretrained)
    with processes.together():
        tokenizer: PreTrainedTokenizerBase = AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
        words = continuations(tokenizer) if settings.whole_words else None
        masking = Masking(settings.masked, settings.to_mask, settings.to_random, words)
        pieces = split_pieces(tokenizer, train)
        if processes.main:
            names = tokenizer.convert_ids_to_tokens(list(range(settings.vocabulary)))
            counts = np.bincount(pieces.ids, minlength=settings.vocabulary).tolist()
            write_counts(out, dict(zip(names, counts, strict=True)))
        report.note(f"Training text: {len(train.items)} documents, {len(pieces.ids):,} pieces.")
        held_out = hold_out(settings, split_pieces(tokenizer, valid), pieces, masking, named(data))
        looked_at = watched(tokenizer, valid, treebank, settings.max_tokens, settings.seed)
    return Material(tokenizer, pieces, masking, held_out, looked_at)
