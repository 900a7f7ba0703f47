"""Tiny encoders, analysed on a few documents: one of whole words with all studies, and one with none."""

import re
from collections import Counter
from pathlib import Path

from tokenizers.pre_tokenizers import Whitespace

from generator.analysis import analyze
from generator.config import Analysis
from generator.corpora.opening import open_corpora
from generator.models.source import locate
from generator.results.examples import EXAMPLES
from tests import encoders
from tests.cli.command import write_corpus
from tests.reports import Strict
from tests.site.words import whole_words

SENTENCES = 200
"""Of the project's treebank, drawn at random: enough to be judged on."""
DOCUMENTS = 12
COMMON = 2
"""Words of the treebank that stand there more often are known to the encoder: most of its text."""
PLAIN = "Tiny-BERT"
BARE = "Bare-BERT"


def analyse_plain(folder: Path, results: Path) -> Path:
    """Analyse a tiny encoder of whole words on a few documents; returns its results."""
    (bank,) = open_corpora(["treebank"]).all
    forms = Counter(word.form for sentence in bank.items for word in sentence.words)
    words = re.findall(r"\w+|[^\w\s]+", " ".join([*encoders.SENTENCES, *EXAMPLES]))
    words += [form for form, count in forms.items() if count > COMMON]
    tokenizer = whole_words(encoders.CLS_SEP.roles, words, Whitespace())
    model = encoders.write("bert", folder / PLAIN, vocab_size=len(tokenizer))
    tokenizer.save_pretrained(model)
    text = folder / "harbour.txt"
    turned = [encoders.SENTENCES[n % 10 :] + encoders.SENTENCES[: n % 10] for n in range(DOCUMENTS)]
    days = [f"# day {n}\n\n{' '.join(day[:4])}\n\n{' '.join(day[4:8])}" for n, day in enumerate(turned)]
    text.write_text("\n\n\n".join(days) + "\n", encoding="utf-8")
    return analyse_tiny(model, results, text, "treebank")


def analyse_bare(folder: Path, results: Path) -> Path:
    """Analyse a tiny encoder on a few documents without any study; returns its results. A site makes their pages in a
    third of the time.
    """
    text = write_corpus(folder / "twelve.txt", DOCUMENTS)
    settings = Analysis(corpora=(str(text),), studies=False, device="cpu")
    return analyze(locate(str(encoders.write("bert", folder / BARE))), settings, results, Strict())[0]


def analyse_tiny(model: Path, results: Path, *corpora: Path | str) -> Path:
    """Analyse an encoder on a CPU with so many documents; returns its results."""
    settings = Analysis(corpora=tuple(map(str, corpora)), documents=SENTENCES, device="cpu")
    return analyze(locate(str(model)), settings, results, Strict())[0]
