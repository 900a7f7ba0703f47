"""The command `variants`: compares trainings of several objectives and stores what sets them apart."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from generator.config import ModelChoice
from generator.corpora.kind import Corpus
from generator.corpora.opening import open_corpora
from generator.corpora.treebank import TREEBANK, Sentence, treebank_inputs
from generator.errors import CorpusError
from generator.experiments.reading import Reading
from generator.experiments.record import store
from generator.lock import alone
from generator.models.encoder import Encoder
from generator.models.load import choose_device, load
from generator.models.names import slug
from generator.models.source import Source, locate
from generator.models.twin import random_twin
from generator.numbers.number import Number, exact
from generator.numbers.resampling import bootstrap_ratio
from generator.progress import Report, reporting_to
from generator.results.manifest import CorpusRecord
from generator.results.writing import check_free, prepare
from generator.studies.fact_rows import facts
from generator.topics.compare.run.models import check_inputs
from generator.topics.learning.records.runs import HELD_OUT_TEXT
from generator.topics.learning.run.pretrain.data.text import read_split
from generator.topics.seeds.run.trainings import check_shape
from generator.topics.variants.records import VARIANTS
from generator.topics.variants.run.classes import Bank
from generator.topics.variants.run.estimates import estimates, of_most
from generator.topics.variants.run.groups import Run, Variant, check_held_out, find_runs, group, said
from generator.topics.variants.run.inputs import FATES, HeldOut, make_inputs
from generator.topics.variants.run.losses import loss_rows
from generator.topics.variants.run.maps import even_shares, map_rows

READINGS = len(FATES) + 2
"""How often each input is read: for losses in three ways, for maps in two."""
Rows = Mapping[str, np.ndarray]


def run_variants(
    places: Sequence[str],
    of: ModelChoice | None,
    text: Path,
    most: int,
    reading: Reading,
    results: Path,
    report: Report,
) -> Path:
    """Compare the runs in these folders on at most `most` inputs of the text `valid` in a folder, and store what sets
    their objectives apart, for the pages of the model `of`, or else of the first run. Raises FieldguideError.
    """
    prepare(results)
    runs = find_runs(places)
    variants = group(runs)
    source = locate(of.id, of.revision, of.name or "") if of else runs[0].source
    bank, corpus = _one_bank(reading), replace(read_split(text, "valid"), name=HELD_OUT_TEXT)
    check_held_out(corpus, runs, text)
    check_free(results, source.title, source.sha256, VARIANTS.name)
    with alone(results / f"{slug(source.title)}@{VARIANTS.name}", report.note, beside=True):
        device = choose_device(reading.device)
        encoders = [load(run.source, device) for run in runs]
        home = load(source, device) if of else encoders[0]
        check_shape([*encoders, home])
        for encoder in encoders[1:]:
            check_inputs(encoders[0], encoder, {})
        longest = min(reading.max_tokens, *(encoder.positions for encoder in encoders))
        reading = replace(reading, max_tokens=longest)
        settings = replace(runs[0].settings, max_tokens=longest)
        held_out = make_inputs(corpus, encoders[0].tokenizer, settings, most, reading.seed)
        title = f"{len(runs)} trainings read {len(held_out.chosen)} inputs"
        with report.bar(title, READINGS * len(runs) * held_out.tokens) as advance, reporting_to(advance):
            numbers = _of_text([run.source for run in runs], encoders, held_out, device)
        found = _text_numbers(numbers, _asked(runs), held_out, variants, reading.seed)
        found |= _baselines(held_out, reading.seed)
        classes = _of_bank(encoders, bank, reading, variants)
        of_model = VARIANTS, source.title
        first, *others = (run.source.id for run in runs)
        words = [*others, *(["--of", of.id] if of else []), "--text", text.resolve().name, "--inputs", str(most)]
        return store(
            *(results, source, home, VARIANTS.name),
            read=[CorpusRecord.of(one) for one in (corpus, bank)],
            settings=reading.settings | {"inputs": most, "variants": [said(variant, runs) for variant in variants]},
            command=reading.command("variants", replace(of, id=first) if of else ModelChoice(first), *words),
            tables={"facts": [facts(found, *of_model, corpus.name), facts(classes, *of_model, bank.name)]},
        )


def _one_bank(reading: Reading) -> Corpus[Sentence]:
    """The only corpus, a treebank. Raises CorpusError for another kind, and for more than one."""
    banks = open_corpora(reading.corpora).of(TREEBANK)
    if len(banks) != 1 or len(reading.corpora) != 1:
        names = ", ".join(Path(name).name for name in reading.corpora)
        raise CorpusError(f"Expected one treebank to read word classes from, found {names}; name one with --corpus.")
    return banks[0]


def _asked(runs: Sequence[Run]) -> np.ndarray:
    """`[training]`: whether it was trained to predict next sentences."""
    return np.array([run.settings.next_sentence for run in runs])


def _of_text(
    sources: Sequence[Source], encoders: Sequence[Encoder], held_out: HeldOut, device: torch.device
) -> dict[str, np.ndarray]:
    """What every training shows on held-out inputs, by name: `[input, training]`, of maps `[input, training, head]`."""
    found = [
        loss_rows(source, held_out, device) | map_rows(encoder, held_out)
        for source, encoder in zip(sources, encoders, strict=True)
    ]
    return {name: np.stack([rows[name] for rows in found], axis=1) for name in found[0]}


def _text_numbers(
    rows: Rows, asked: np.ndarray, held_out: HeldOut, variants: Sequence[Variant], seed: int
) -> dict[str, Number]:
    """All numbers of variants on held-out text."""
    chosen, ones = held_out.chosen.astype(float), np.ones(len(held_out.chosen))
    parts = {name: (rows[name], chosen) for name in FATES}
    parts |= {name: (np.where(asked, rows[name], np.nan), ones) for name in ("follows", "next")}
    parts["maps"] = rows["maps"].mean(-1), ones
    for name, even in even_shares(held_out).items():
        parts[name] = rows[name].mean(-1), even
        if name != "self.whole":
            most, left = of_most(rows[name], seed)
            parts[f"{name}.most"] = most, even[left]
    numbers: dict[str, Number] = {}
    for name, (part, whole) in parts.items():
        numbers |= estimates(name, part, whole, variants, seed)
    return numbers


def _baselines(held_out: HeldOut, seed: int) -> dict[str, Number]:
    """The numbers on held-out text that need no training."""
    follows = 1 - held_out.unrelated
    frequency = bootstrap_ratio(held_out.of_inputs(held_out.frequency), held_out.chosen, seed).at()
    commoner = exact(float(max(follows.mean(), 1 - follows.mean())), len(follows))
    tokens = exact(float(held_out.chosen.sum()), len(follows))
    return {"masked.frequency": frequency, "next.commonest": commoner, "tokens": tokens}


def _of_bank(
    encoders: Sequence[Encoder], bank: Corpus[Sentence], reading: Reading, variants: Sequence[Variant]
) -> dict[str, Number]:
    """The numbers about word classes."""
    sentences = Bank.of(treebank_inputs(bank, reading.maker(encoders[0])), bank.name, reading.seed)
    judged = [sentences.judged(encoder) for encoder in encoders]
    random, words = sentences.judged(random_twin(encoders[0], reading.seed)), judged[0].words
    part = np.stack([one.model for one in judged], axis=1)
    return estimates("classes", part, words, variants, reading.seed) | {
        "classes.type": bootstrap_ratio(judged[0].kind, words, reading.seed).at(),
        "classes.random": bootstrap_ratio(random.model, words, reading.seed).at(),
    }
