"""What the benchmark reads and with what: models of twelve layers of twelve heads, and public text."""

import os
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import torch
from transformers import BertConfig, BertForMaskedLM, BertModel

from generator.attention.anatomy import Anatomy, examine, forward
from generator.attention.batches import collate
from generator.attention.hook import NAME
from generator.attention.portions import in_portions
from generator.config import Analysis
from generator.corpora.catalogue import FOLDER
from generator.corpora.files import TEXT
from generator.corpora.kind import Corpora, Corpus
from generator.corpora.opening import open_corpora
from generator.corpora.pairs import Document, Input
from generator.jobs.work import seldom_cleared
from generator.models.encoder import Encoder
from generator.models.masked_lm import MaskedLM, load_masked_lm
from generator.models.source import locate
from generator.studies.all import PROCEDURES
from generator.survey.engine import Surveyor
from generator.survey.inputs import make_inputs, pair_maker
from tests.bench.record import AbsentError
from tests.encoders import loaded
from tests.reports import Silence

CPU = torch.device("cpu")
LAYERS = HEADS = 12
DOCUMENTS = 12
"""Of the 60 articles of WikiText-2: 244 inputs of 128 tokens. Of so few, studies that sample documents read all."""
SENTENCES = 400
_TITLE = re.compile(r"^ = [^=].* = \n", re.MULTILINE)


class Model(NamedTuple):
    """An encoder with random weights, set to the hook, and its masked-LM head if it has one."""

    encoder: Encoder
    anatomy: Anatomy
    masked_lm: MaskedLM | None


@cache
def model(
    hidden: int,
    head: bool = False,
    positions: int = 512,
    *,
    layers: int = LAYERS,
    heads: int = HEADS,
    device: torch.device = CPU,
    tokenizer: str = "all-MiniLM-L6-v2",
) -> Model:
    """Twelve layers of twelve heads, or others, with the tokenizer of an embedded encoder."""
    source = loaded(tokenizer)
    size = {"hidden_size": hidden, "intermediate_size": 4 * hidden, "max_position_embeddings": positions}
    config = BertConfig(vocab_size=len(source.tokenizer), num_hidden_layers=layers, num_attention_heads=heads, **size)
    torch.manual_seed(0)
    whole = BertForMaskedLM(config).eval().requires_grad_(False)
    plain = BertModel(config).eval().requires_grad_(False)
    made = [
        Encoder(f"random, hidden {hidden}", each.to(device), source.tokenizer, positions, True, device)
        for each in (plain, whole)
    ]
    return Model(made[0], examine(made[0]), MaskedLM(made[1]) if head else None)


def small_bert(head: bool) -> Model:
    """The encoder of this project, with or without its masked-LM head."""
    encoder = loaded("small-bert")
    masked_lm = load_masked_lm(locate("small-bert"), encoder.device) if head else None
    return Model(encoder, examine(encoder), masked_lm)


def text(documents: int = DOCUMENTS) -> Corpora:
    """The first articles of the validation part of WikiText-2. Raises AbsentError."""
    path = public("text-wikitext-2-raw-valid", "wiki.valid.raw")
    parts = [part for part in _TITLE.split(path.read_text(encoding="utf-8")) if part.strip()][:documents]
    paragraphs = [[line.strip() for line in part.splitlines() if line.strip(" =")] for part in parts]
    articles = tuple(Document(f"{at:02}", tuple(lines)) for at, lines in enumerate(paragraphs))
    return Corpora((Corpus("wikitext-2", TEXT, "0" * 64, articles, "en"),))


def treebank(sentences: int = SENTENCES) -> Corpora:
    """Sentences of the test part of UD English EWT. Raises AbsentError."""
    public("ud-english-ewt", "en_ewt-ud-test.conllu")
    return open_corpora(["ud-english-ewt-test"], sentences)


def public(*name: str) -> Path:
    """A file of public corpora: the bounds of rows hold for these, and the embedded text is too short for them."""
    path = Path(os.environ.get(FOLDER) or "data", *name)
    if not path.is_file():
        raise AbsentError(f"Expected {'/'.join(name)} in the folder that {FOLDER} names, found none; put it there.")
    return path


def settings(max_tokens: int = 128) -> Analysis:
    """Those of a default analysis."""
    return Analysis(max_tokens=max_tokens, device="cpu")


def inputs(which: Model, corpora: Corpora, max_tokens: int = 128) -> list[Input]:
    """All that a model reads of some corpora, once."""
    maker = pair_maker(which.encoder, settings(max_tokens), Silence())
    found: list[Input] = []
    for corpus in corpora.all:
        made: Any = make_inputs(corpus, maker, Silence()).inputs
        found += [item.input for _, item in made.values()] if hasattr(made, "values") else made
    return found


def bare(which: Model, items: Sequence[Input], attention: str = "eager") -> None:
    """Forward passes of all inputs that keep nothing, with one of the attentions of transformers."""
    which.encoder.model.set_attn_implementation(attention)
    for batch in in_portions(which.encoder, items, lambda some: [collate(some, which.encoder.pad)]):
        forward(which.encoder, batch)
    which.encoder.model.set_attn_implementation(NAME)


def analysed(which: Model, corpora: Corpora, max_tokens: int = 128) -> None:
    """All studies of a default analysis, as a job makes them."""
    surveyor = Surveyor(which.encoder, which.anatomy, settings(max_tokens), Silence(), which.masked_lm)
    with seldom_cleared():
        surveyor.survey(corpora, PROCEDURES)
