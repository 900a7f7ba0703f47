"""Tiny encoders with random weights, one per family, written to a folder as a published checkpoint is.

Every family has a tokenizer of the kind its published models use: word pieces, byte-level pairs or sentence pieces,
with the family's own special tokens. Nothing is downloaded; a folder is 100 kB and loads in a blink.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import PreTrainedTokenizerFast

from generator.models.encoder import Encoder
from generator.models.load import load
from generator.models.source import locate

SENTENCES = (
    "The old lighthouse stood on a rock, far from the village.",
    "Every evening, the keeper climbed the stairs and lit the lamp.",
    "Ships passed slowly; nobody on board knew his name.",
    "In winter the sea froze, and the boats stayed in the harbour.",
    "A letter came once a month.",
    "He read it twice, put it in a drawer, and said nothing.",
    "Birds returned in spring to nest under the roof.",
    "Rain, wind and salt had worn the paint from the door.",
    "What does a head look at when there is nothing to see?",
    "It looks at the end of the line.",
)
HEADS, LAYERS, HIDDEN, POSITIONS, WINDOW = 4, 3, 32, 128, 8
"""A window of 8 lets a token see four neighbours on either side."""
GAIN = 0.25
"""Standard deviation of every weight: large enough that no head is close to uniform."""


@dataclass(frozen=True)
class Frame:
    """The special tokens of a tokenizer, in the order of their ids, and where they go."""

    specials: tuple[str, ...]
    single: str
    pair: str
    roles: Mapping[str, str]
    inputs: tuple[str, ...] = ("input_ids", "attention_mask")


CLS_SEP = Frame(
    specials=("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"),
    single="[CLS] $A [SEP]",
    pair="[CLS] $A [SEP] $B:1 [SEP]:1",
    roles={"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"},
    inputs=("input_ids", "token_type_ids", "attention_mask"),
)
TWO_ENDS = Frame(
    specials=("<s>", "<pad>", "</s>", "<unk>", "<mask>"),
    single="<s> $A </s>",
    pair="<s> $A </s> </s> $B </s>",
    roles={"bos": "<s>", "cls": "<s>", "pad": "<pad>", "eos": "</s>", "sep": "</s>", "unk": "<unk>", "mask": "<mask>"},
)
END_ONLY = Frame(
    specials=("<pad>", "</s>", "<unk>"),
    single="$A </s>",
    pair="$A </s> $B </s>",
    roles={"pad": "<pad>", "eos": "</s>", "unk": "<unk>"},
)


def word_pieces(frame: Frame) -> Tokenizer:
    """BERT's kind: short words whole, longer ones in letters."""
    letters = sorted({letter for letter in "".join(SENTENCES).lower() if letter.isalnum()})
    marks = [mark for mark in "!?.,:;'\"()[]<>/-_" if mark not in letters]
    short = sorted({word for word in _words() if 1 < len(word) < 6})
    pieces = [*frame.specials, *marks, *letters, *short, *(f"##{letter}" for letter in letters)]
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token=frame.roles["unk"]))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    return tokenizer


def byte_pairs(frame: Frame) -> Tokenizer:
    """RoBERTa's kind: pairs of bytes, a word's space belonging to the word."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=350, special_tokens=list(frame.specials), initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(SENTENCES, trainer)
    return tokenizer


def sentence_pieces(frame: Frame) -> Tokenizer:
    """XLM-RoBERTa's and T5's kind: a unigram vocabulary that lists the special tokens as pieces of score 0."""
    letters = [*sorted(set("".join(SENTENCES)) | set("abcdefghijklmnopqrstuvwxyz<>/[]_SEPCLMAK")), "▁"]
    short = sorted({f"▁{word}" for word in _words() if len(word) < 6})
    pieces = [(piece, 0.0) for piece in frame.specials]
    pieces += [(letter, -4.0) for letter in letters if letter != " "] + [(word, -6.0) for word in short]
    pieces += [("▁.", -5.0), ("▁,", -5.0)]
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=frame.specials.index(frame.roles["unk"])))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    return tokenizer


def tokenizer_of(family: str, limit: int = POSITIONS) -> PreTrainedTokenizerFast:
    """The family's tokenizer, before it is saved."""
    frame, kind = FAMILIES[family].frame, FAMILIES[family].tokenizer
    tokenizer = kind(frame)
    used = [(token, tokenizer.token_to_id(token)) for token in frame.specials if token in frame.pair]
    tokenizer.post_processor = processors.TemplateProcessing(single=frame.single, pair=frame.pair, special_tokens=used)
    roles = {f"{role}_token": token for role, token in frame.roles.items()}
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_max_length=limit, model_input_names=list(frame.inputs), **roles
    )


@dataclass(frozen=True)
class Family:
    """How one family is built: its configuration and model classes, its tokenizer, and what differs from BERT."""

    name: str
    frame: Frame
    tokenizer: Callable[[Frame], Tokenizer]
    settings: Mapping[str, Any]

    def config(self, vocabulary: int, **changes: Any) -> Any:
        """A configuration of the common size; `changes` win."""
        frame, roles = self.frame, self.frame.roles
        ids = {f"{role}_token_id": frame.specials.index(token) for role, token in roles.items() if role != "unk"}
        known = {"vocab_size": vocabulary, "pad_token_id": ids["pad_token_id"]}
        if self.name == "ModernBert":
            known |= ids
        return getattr(transformers, f"{self.name}Config")(**known | dict(self.settings) | changes)


SIZE = {
    "hidden_size": HIDDEN,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS,
    "intermediate_size": 48,
    "max_position_embeddings": POSITIONS,
}
TABLE_AND_PADDING = {"max_position_embeddings": POSITIONS + 2}
"""RoBERTa and its relatives keep two rows of the position table for padding."""
DISTILBERT = {"dim": HIDDEN, "n_layers": LAYERS, "n_heads": HEADS, "hidden_dim": 48}
WINDOWED = {"local_attention": WINDOW, "layer_types": ["full_attention", "sliding_attention", "sliding_attention"]}
RELATIVE = {"relative_attention": True, "pos_att_type": ["p2c", "c2p"], "position_buckets": 16, "share_att_key": True}
GROUPED = {"num_key_value_heads": 2, "bos_token_id": 2, "eos_token_id": 3, "mask_token_id": 4}
"""Two heads share the keys and values of one."""
T5 = {"d_model": HIDDEN, "d_kv": 6, "d_ff": 48, "num_layers": LAYERS, "num_decoder_layers": 1, "num_heads": HEADS}
"""Heads of 6: their outputs together are narrower than the hidden states."""
WITHOUT_BEGIN = ("t5",)
FAMILIES: Mapping[str, Family] = {
    "bert": Family("Bert", CLS_SEP, word_pieces, SIZE),
    "roberta": Family("Roberta", TWO_ENDS, byte_pairs, SIZE | TABLE_AND_PADDING | {"type_vocab_size": 1}),
    "xlm-roberta": Family("XLMRoberta", TWO_ENDS, sentence_pieces, SIZE | TABLE_AND_PADDING | {"type_vocab_size": 1}),
    "distilbert": Family("DistilBert", CLS_SEP, word_pieces, DISTILBERT | {"max_position_embeddings": POSITIONS}),
    "electra": Family("Electra", CLS_SEP, word_pieces, SIZE | {"embedding_size": 16}),
    "albert": Family("Albert", CLS_SEP, sentence_pieces, SIZE | {"embedding_size": 16}),
    "modernbert": Family("ModernBert", CLS_SEP, byte_pairs, SIZE | WINDOWED),
    "deberta-v2": Family("DebertaV2", CLS_SEP, sentence_pieces, SIZE | RELATIVE),
    "mpnet": Family("MPNet", TWO_ENDS, word_pieces, SIZE | TABLE_AND_PADDING),
    "eurobert": Family("EuroBert", CLS_SEP, byte_pairs, SIZE | GROUPED),
    "t5": Family("T5", END_ONLY, sentence_pieces, T5),
}


def write(family: str, folder: Path, limit: int = POSITIONS, **changes: Any) -> Path:
    """Save a random encoder of this family and its tokenizer; the seed is fixed, so two calls write equal weights."""
    tokenizer = tokenizer_of(family, limit)
    kind = FAMILIES[family]
    torch.manual_seed(0)
    model = getattr(transformers, f"{kind.name}Model")(kind.config(len(tokenizer), **changes))
    with torch.no_grad():
        for name, weight in model.named_parameters():
            noise = GAIN * torch.randn_like(weight)
            weight.copy_(noise + 1 if "norm" in name.lower() and name.endswith("weight") else noise)
            if family == "t5" and name.endswith(".q.weight"):
                weight.mul_(T5["d_kv"] ** -0.5)  # T5 does not scale its logits: its queries are small instead
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _words() -> list[str]:
    return "".join(mark for mark in " ".join(SENTENCES) if mark.isalpha() or mark == " ").split()


def loaded(model: Path | str) -> Encoder:
    """A folder or a name, loaded on the CPU the way a user's is."""
    return load(locate(str(model)), torch.device("cpu"))
