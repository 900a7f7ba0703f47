"""An encoder, a corpus and example sentences whose every name and word tries to be markup, a template or an address.

A folder's name cannot hold "/", so its tags stay open; words of the tokenizer can, and theirs are complete.
"""

from pathlib import Path

import torch
from tokenizers.pre_tokenizers import WhitespaceSplit
from transformers import BertModel

from tests.encoders import FAMILIES, SENTENCES
from tests.results.altered import with_table
from tests.site.words import whole_words

NAME = (
    '"><img src=x onerror=alert(1)> <script>alert(2)< {{ 7*7 }} {% raw %} **b** _i_ `c` '
    "& &lt; 'q' #a ?b %41 \u05e9\u05dc\u05d5\u05dd \U0001f600"
)
CORPUS = '<b onclick=alert(3)>{{ 7*7 }} & "c".txt'
TREEBANK = "<u>{{ 7*7 }}.conllu"
RELATION = "det:<script>alert(12)</script>{{ 7*7 }}"
SPECIAL = {
    "pad": "[PAD]",
    "unk": '"><img src=x onerror=alert(5)> &amp;',
    "cls": "<svg onload=alert(4)>",
    "sep": "{{ 7*7 }} **sep**",
    "mask": "[MASK]",
}
WORDS = (
    "<script>alert(6)</script>",
    "</template><script>alert(7)</script>",
    "'\"--><!--",
    r"\u003cb\u003e",
    "\u05e9\u05dc\u05d5\u05dd",
    "\U0001f469\u200d\U0001f680",
    "</td></title></select></textarea>",
)
"""What stands in the vocabulary in the place of ordinary words."""
SHAPE = {"num_hidden_layers": 2, "num_attention_heads": 16}
PLACES = ("clock", "kitchen", "book", "children", "door", "sells", "brother")
"""Words of the example sentences that are read as those of WORDS."""
TEXTS = (
    "</option></select><script>alert(8)</script> {{ 7*7 }}",
    "**bold** [link](javascript:alert(9)) <img src=x onerror=alert(10)>",
    "</template><script>alert(11)</script>",
    '\u05e9\u05dc\u05d5\u05dd \U0001f600 "quoted" & &lt;escaped&gt;',
)
"""What the first example sentences are called."""


def write_encoder(folder: Path) -> Path:
    """Save the encoder under NAME; its heads are broad, for its weights are small, and many, as a large model's."""
    replaced = dict(zip(PLACES, WORDS, strict=True))
    known = " ".join(SENTENCES[:7]).split()  # most of a text has to be
    tokenizer = whole_words(SPECIAL, [*WORDS, "the", "a", ".", ",", *known], WhitespaceSplit(), replaced)
    torch.manual_seed(0)
    BertModel(FAMILIES["bert"].config(len(tokenizer), **SHAPE)).save_pretrained(folder / NAME)
    tokenizer.save_pretrained(folder / NAME)
    return folder / NAME


def write_corpus(folder: Path, documents: int) -> Path:
    """Save documents whose names and words are hostile."""
    text = []
    for number in range(documents):
        paragraphs = [f"{SENTENCES[number % 10]} the {word} , a {WORDS[number % 7]} ." for word in WORDS[:3]]
        text.append("\n\n".join([f"# <i>{number}</i> {{{{ 7*7 }}}}", *paragraphs]))
    (folder / CORPUS).write_text("\n\n\n".join(text) + "\n", encoding="utf-8")
    return folder / CORPUS


def write_treebank(folder: Path) -> Path:
    """Save sentences whose words and relations are hostile, often enough for a head to be named."""
    lines = []
    for number in range(40):
        word = WORDS[number % len(WORDS)]
        lines += [f"# sent_id = <b>{number}</b>", f"1\tthe\t_\tDET\t_\t_\t2\t{RELATION}\t_\t_"]
        lines += [f"2\t{word}\t_\tNOUN\t_\t_\t0\troot\t_\t_", "3\t.\t_\tPUNCT\t_\t_\t2\tpunct\t_\t_", ""]
    (folder / TREEBANK).write_text("\n".join(lines), encoding="utf-8")
    return folder / TREEBANK


def rename_examples(results: Path) -> None:
    """Call the example sentences of stored results TEXTS, as other sentences might be called."""
    with_table(
        results,
        "examples",
        lambda table: table.replace({"text": dict(zip(table["text"].unique(), TEXTS, strict=False))}),
    )
