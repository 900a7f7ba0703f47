"""What the mask token looks at, beside the word that it hides: study "mask rows".

The hypothesis of 2021 ("A Hypothesis about Learning Curve of BERT", phase three) says that what stands near [MASK],
above all in the same part of the sentence, matters most for what is predicted there, and that deep layers find it. Most
tokens look near by, so every row of a mask is compared with the row of the word that it hides, in the text as it is.
Texts and masks are those of "masks.15" in study "manipulations"; parts are those of study "occlusion".

Tokens of the same part are near. So two tokens at the same distance before and after a mask are compared, too, if one
of them belongs to its part and the other to another part.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from generator.attention.anatomy import Anatomy
from generator.attention.observed import Observer, ObserverOf
from generator.corpora.classes import ADDED
from generator.corpora.files import TEXT
from generator.corpora.pairs import Input
from generator.models.masked_lm import MaskedLM
from generator.numbers.depth import in_depth, last_layers
from generator.numbers.number import Grid
from generator.numbers.resampling import bootstrap, resample_ratio
from generator.studies.fact_rows import facts
from generator.studies.gathered import Gathered, asking
from generator.studies.procedure import Asked, Need, Procedure, Subject, Watcher
from generator.topics.inputs.compute.changed import one_each
from generator.topics.inputs.compute.manipulations import DOCUMENTS, hide
from generator.topics.inputs.compute.occlusion import NEAR, NO_PART, parts
from generator.topics.inputs.records.mask_rows import MASK_ROWS, MIDDLE, PLACES, ROWS

DISTANCES = (1, 2, 5, 10)
"""The least distance of every bin, in tokens."""
SAME, ACROSS = -2, -1
"""Where the tokens that are compared at one distance stand, after those of PLACES."""
CLOSE = [list(PLACES).index(name) for name in ("distance.1", "distance.2")]
"""The places of tokens that are near."""


class MaskRows(Gathered[np.ndarray]):
    """Gathers where masks look, and where the words look that they hide, `[layer, place]`: sums over hidden words of
    means over heads.
    """

    def __init__(self, masked_lm: MaskedLM, inputs: Sequence[Input], seed: int) -> None:
        """The first part of at most DOCUMENTS documents is read, where it has a word to hide."""
        encoder = masked_lm.encoder
        chosen = sorted(one_each(inputs, DOCUMENTS, seed), key=lambda item: item.document)
        texts = {token: encoder.tokenizer.decode([token]).strip() for item in chosen for token in item.input_ids}
        number = {item.document: parts(item, texts) for item in chosen}
        masked = {item.document: hide(item, masked_lm.mask, seed) for item in chosen}
        # A mark between two parts may be hidden, too; it belongs to none.
        self._hidden = {name: [at for at in one.targets if number[name][at] != NO_PART] for name, one in masked.items()}
        read = [item for item in chosen if self._hidden[item.document]]
        looked = {item.document: looked_at(item, self._hidden[item.document], number[item.document]) for item in read}
        self._observer = _of_rows(self._hidden, looked)
        conditions = [(masked[item.document].input, item) for item in read]
        super().__init__(
            [Asked(name, one, (self._observer,)) for some in conditions for name, one in zip(ROWS, some, strict=True)],
            lambda _one, seen: seen.of(self._observer).mean(1),
        )

    def facts(self, model: str, corpus: str, seed: int) -> list[pd.DataFrame]:
        """`facts` of study "mask rows": by layer, and with layer 0 what claims ask of the last layers; no table without
        hidden words.

        Numbers are means over heads and over the hidden words of a document. Intervals resample documents, and `n`
        counts those that define a number.
        """
        found = self.by_document()
        if not found:
            return []
        sums = np.array([[seen[name] for seen in found.values()] for name in ROWS])
        words = np.array([len(self._hidden[name]) for name in found])
        return [facts(_estimates(sums, words, seed), MASK_ROWS, model, corpus)]


def looked_at(item: Input, hidden: Sequence[int], number: np.ndarray) -> np.ndarray:
    """`[row, key, place]`, 1 where the key stands there as the hidden token of the row sees it: the PLACES, then the
    token of the same part and that of another part at one distance on either side.
    """
    rows, keys = np.array(hidden)[:, None], np.arange(len(item))[None]
    text = np.array([kind not in ADDED for kind in item.classes])[None] & (rows != keys)
    away = np.searchsorted(DISTANCES, np.abs(rows - keys), side="right") - 1
    own = text & (number[None] == number[rows])
    other = text & ~own & (number[None] != NO_PART)
    bins = [text & (away == at) for at in range(len(DISTANCES))]
    marked = [rows == keys, np.broadcast_to([kind in ADDED for kind in item.classes], text.shape), *bins, own, other]
    mirror = 2 * rows - keys
    there = (mirror >= 0) & (mirror < len(item)) & (np.abs(rows - keys) <= NEAR)
    beyond = np.clip(mirror, 0, len(item) - 1)
    same, across = (one & there & np.take_along_axis(two, beyond, axis=1) for one, two in ((own, other), (other, own)))
    return np.stack([*marked, same, across], axis=-1).astype(np.float32)


def _of_rows(hidden: Mapping[str, Sequence[int]], looked: Mapping[str, np.ndarray]) -> ObserverOf:
    """Adds up the weights that hidden tokens give, `[head, place]`."""

    def observer(item: Input) -> Observer:
        rows, places = np.array(hidden[item.document]), looked[item.document]

        def observe_block(weights: np.ndarray, first: int) -> np.ndarray:
            here = (rows >= first) & (rows < first + weights.shape[1])
            found: np.ndarray = np.einsum("hrk,rkp->hp", weights[:, rows[here] - first], places[here], dtype=float)
            return found

        return observe_block

    return observer


def _estimates(sums: np.ndarray, words: np.ndarray, seed: int) -> dict[str, Grid]:
    """Every number, from sums over hidden words `[row, document, layer, place]`, and `words [document]`, how many those
    are.
    """
    shares = sums / words[None, :, None, None]
    found = {
        f"{row}.{place}": bootstrap(shares[at, ..., where], seed)
        for at, row in enumerate(ROWS)
        for where, place in enumerate(PLACES)
    }
    same, pairs = sums[..., SAME], sums[..., SAME] + sums[..., ACROSS]
    for at, row in enumerate(ROWS):
        found[f"{row}.same"] = resample_ratio(same[at], pairs[at], seed).estimate()
    near = shares[0, ..., CLOSE].sum(0) - shares[1, ..., CLOSE].sum(0)
    layers = near.shape[1]
    deep, middle = last_layers(layers), in_depth(layers, *MIDDLE)
    found["deep.near"] = bootstrap(near[:, deep].mean(1), seed)
    of_mask, of_word = (resample_ratio(same[at][:, deep].sum(1), pairs[at][:, deep].sum(1), seed) for at in (0, 1))
    found["deep.part"] = of_mask.minus(of_word).estimate()
    if middle.any():
        found["deep.lead"] = bootstrap(near[:, deep].mean(1) - near[:, middle].mean(1), seed)
    return found


def _watch(of: Subject, masked_lm: MaskedLM, _anatomy: Anatomy) -> Watcher:
    rows = MaskRows(masked_lm, of.inputs, of.seed)
    return asking(lambda: {"facts": rows.facts(of.model, of.corpus, of.seed)}, rows)


PROCEDURE = Procedure(MASK_ROWS.name, TEXT, _watch, Need.MASKED_LM)
