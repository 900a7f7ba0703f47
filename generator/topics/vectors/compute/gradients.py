"""How much the masked-LM loss depends on each attention weight (Clark et al. 2019, section 3.2, Figure 3).

The code behind the figure was never published, so the details are ours. 15 % of an input's text tokens are chosen, at
random by the seed, the document's name and the part. 80 % of these become the mask token, 10 % a random piece and 10 %
stay (Devlin et al. 2019, section 3.1). The loss is the mean over the chosen positions. A token that was replaced has
class "other", even if it was a period or comma, or if a random piece is one. Weights that a head cannot use, because
the model hides the key from the query, are left out.

In the last layer the loss sees only the rows of chosen positions: every other row, that of the begin token among them,
has a gradient of exactly 0, and its rank correlation is undefined.
"""

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from generator.attention.anatomy import Anatomy
from generator.attention.gradient import Gradients, MaskedInput, attention_gradients
from generator.corpora.classes import ADDED, CLASSES, TokenClass
from generator.corpora.pairs import Input
from generator.models.masked_lm import MaskedLM
from generator.numbers.means import defined_mean
from generator.numbers.resampling import bootstrap, bootstrap_ratio
from generator.studies.fact_rows import facts, head_facts
from generator.topics.inputs.compute.changed import few_each
from generator.topics.vectors.compute.kendall import kendall
from generator.topics.vectors.records.gradients import GRADIENT

SHARE = 0.15
"""The share of an input's text tokens that is hidden, at least one token."""
NAMES = {
    TokenClass.BEGIN: "cls",
    TokenClass.SEPARATOR: "sep",
    TokenClass.PUNCTUATION: "punctuation",
    TokenClass.OTHER: "other",
}
TAU = "tau.cls"
COLUMNS = (*(f"gradient.{name}" for name in NAMES.values()), *(f"product.{name}" for name in NAMES.values()), TAU)


@dataclass(frozen=True)
class GradientRows:
    """The numbers of every document and head, and the tables made of them."""

    documents: tuple[str, ...]
    """The names of the documents, sorted."""
    values: np.ndarray
    """`[document, layer, head, column]` in the order of COLUMNS; NaN where a document does not define a number."""

    def head_facts(self, model: str, corpus: str, seed: int) -> pd.DataFrame:
        """Rows of `head_facts`: the mean over documents of every column."""
        estimate = bootstrap(self.values, seed)
        found = {name: estimate.part(..., at) for at, name in enumerate(COLUMNS)}
        return head_facts(found, GRADIENT, model, corpus)

    def facts(self, model: str, corpus: str, seed: int) -> pd.DataFrame:
        """Rows of `facts`: ratios of gradients by layer, each over the documents that define both its sides; and with
        layer 0 `tau.cls`, for which a document counts with the mean over those heads that define it.
        """
        by_layer = self.values.mean(axis=2)
        other = by_layer[..., COLUMNS.index("gradient.other")]
        found = {}
        for name in ("cls", "sep", "punctuation"):
            part = by_layer[..., COLUMNS.index(f"gradient.{name}")]
            defined = ~np.isnan(part) & ~np.isnan(other)
            part, whole = (np.where(defined, side, 0.0) for side in (part, other))
            found[f"ratio.{name}"] = bootstrap_ratio(part, whole, seed)
        taus = self.values[..., COLUMNS.index(TAU)].reshape(len(self.documents), -1)
        found[TAU] = bootstrap(defined_mean(taus.T), seed)
        return facts(found, GRADIENT, model, corpus)


def measure_gradients(masked_lm: MaskedLM, anatomy: Anatomy, inputs: Sequence[Input], seed: int) -> GradientRows | None:
    """Measure a few inputs of every document (`few_each`); a document counts once, as the mean of its parts.

    None for families that never call the hook, whose weights cannot be differentiated, and if no input has text.
    """
    masked = [hide(item, masked_lm, seed) for item in few_each(inputs, seed)]
    hidden = [item for item in masked if item.targets]
    if anatomy.sites or not hidden:
        return None
    found = {seen.input.place: _columns(seen) for seen in attention_gradients(masked_lm.encoder, anatomy, hidden)}
    documents = tuple(sorted({document for document, _ in found}))
    parts = [np.stack([found[key] for key in sorted(found) if key[0] == document]) for document in documents]
    return GradientRows(documents, np.stack([defined_mean(part) for part in parts]))


def hide(item: Input, masked_lm: MaskedLM, seed: int) -> MaskedInput:
    """The input with some of its tokens hidden, and what they are; seed, document and part decide which."""
    digest = hashlib.sha256(f"{seed}:{item.document}:{item.part}".encode()).digest()
    rng = random.Random(int.from_bytes(digest[:8], "big"))
    text = [at for at, kind in enumerate(item.classes) if kind not in ADDED]
    chosen = sorted(rng.sample(text, max(1, round(SHARE * len(text))))) if text else []
    ids, classes = list(item.input_ids), list(item.classes)
    for at in chosen:
        draw = rng.random()
        if draw < 0.8:
            ids[at] = masked_lm.mask
        elif draw < 0.9:
            ids[at] = rng.choice(masked_lm.pieces)
        if ids[at] != item.input_ids[at]:
            classes[at] = TokenClass.OTHER
    targets = {at: item.input_ids[at] for at in chosen}
    return MaskedInput(replace(item, input_ids=tuple(ids), classes=tuple(classes)), targets)


def _columns(seen: Gradients) -> np.ndarray:
    """The numbers of one input, `[layer, head, column]`."""
    classes = np.asarray(seen.input.classes)
    of_class = np.eye(CLASSES)[classes]
    missing = [len(NAMES) + kind for kind in ADDED if kind not in classes]
    found = np.stack([_of_layer(*of, classes, of_class) for of in zip(seen.weights, seen.gradients, strict=True)])
    found[..., missing] = np.nan
    return found


def _of_layer(weights: np.ndarray, gradients: np.ndarray, classes: np.ndarray, of_class: np.ndarray) -> np.ndarray:
    """The numbers of one layer, `[head, column]`, from its weights and gradients `[head, query, key]`.

    Sums over queries are in float64.
    """
    usable = weights > 0
    sizes = np.abs(gradients) * usable
    received, could, product = (array.sum(1, dtype=float) @ of_class for array in (sizes, usable, weights * gradients))
    with np.errstate(invalid="ignore"):
        columns = [received / could, product / len(classes)]
    begin = np.flatnonzero(classes == TokenClass.BEGIN)[:1]
    rows = (array[:, begin] for array in (weights, sizes, usable))
    taus = kendall(*rows) if len(begin) else np.full((len(weights), 1), np.nan)
    return np.concatenate([*columns, taus], axis=-1)
