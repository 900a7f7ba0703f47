"""Every token type of a text: how often it occurs, what attention it receives, how well a masked LM predicts it.

The hypothesis of 2021 ("A Hypothesis about Learning Curve of BERT") says that frequency makes learning easier and
earlier. To see when a model learns a type, this table is compared between checkpoints (`learning.compute.curve`). A
type is a piece of the vocabulary, special tokens included. Its frequency is that in the sample that is read, not in the
text on which the model was trained, which is seldom known; types with fewer than FEWEST occurrences are left out.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from generator.attention.observed import Observed
from generator.corpora.files import TEXT
from generator.corpora.pairs import Input
from generator.models.masked_lm import MaskedLM
from generator.studies.procedure import Procedure, Subject, Tables, Watcher
from generator.topics.inputs.compute.changed import draws, few_each, text_places, with_tokens
from generator.topics.inputs.compute.hidden_tokens import log_probabilities
from generator.topics.tokens.compute.roles import UNIT

STUDY = "types"
FEWEST = 10
"""The fewest occurrences of a type in the text."""
HIDDEN = 8
"""The most occurrences of a type that are hidden, so that the losses of all types rest on about as many."""
SHARE = 0.15
"""The largest share of an input that is hidden at once."""
COLUMNS = ("model", "corpus", "token", "count", "received", "loss")


class TypeScores:
    """Gathers what the types of one corpus receive; each input is added once, in any order.

    Sums are kept in whole units of 2^-32, so that the order of inputs cannot change them.
    """

    def __init__(self) -> None:
        self._counts: Counter[int] = Counter()
        self._units: Counter[int] = Counter()

    def add(self, seen: Observed) -> None:
        """Count one input."""
        received = seen.primitives.received.mean(axis=(0, 1))
        types, place = np.unique(seen.input.input_ids, return_inverse=True)
        units = np.rint(np.bincount(place, received) * UNIT).astype(np.int64)
        self._counts.update(seen.input.input_ids)
        self._units.update(dict(zip(types.tolist(), units.tolist(), strict=True)))

    def table(
        self, model: str, corpus: str, pieces: Callable[[list[int]], list[str]], losses: Mapping[int, float]
    ) -> pd.DataFrame:
        """The table `types`: one row per type, the most frequent first; `pieces` returns the text of vocabulary ids.

        `count` is the number of occurrences in this text. `received` is the attention that an occurrence receives from
        all queries of its input, itself included, a mean over occurrences, heads and layers; it is 1 if attention is
        uniform. `loss` is the type's entry of `losses` (see `type_losses`), NaN if there is none.
        """
        types = _frequent(self._counts)
        counts = np.array([self._counts[token] for token in types], dtype=np.int32)
        units = np.array([self._units[token] for token in types], dtype=float)
        return pd.DataFrame(
            {
                "model": model,
                "corpus": corpus,
                "token": pd.Series(pieces(types), dtype=object),
                "count": counts,
                "received": units / (UNIT * counts),
                "loss": np.array([losses.get(token, np.nan) for token in types], dtype=float),
            }
        )[list(COLUMNS)]


def type_losses(masked_lm: MaskedLM | None, inputs: Sequence[Input], seed: int) -> dict[int, float]:
    """Vocabulary id -> mean negative log-likelihood, in nats, of occurrences that are hidden by the mask token.

    A few inputs of every document are read (`few_each`). Of every type with FEWEST occurrences in them, at most HIDDEN
    occurrences in the text are drawn, with the seed and the names of their inputs. At most 15 % of an input, or one
    token, are hidden together; an input with more hidden tokens is read more than once. Tokens that the tokenizer adds
    are never hidden and have no loss. Empty without a masked-LM head.
    """
    if masked_lm is None:
        return {}
    ordered = sorted(few_each(inputs, seed), key=lambda item: item.place)
    groups = [(item, group) for item, places in hidden_places(ordered, seed) for group in together(item, places)]
    targets = [{at: item.input_ids[at] for at in group} for item, group in groups]
    changed = [with_tokens(item, dict.fromkeys(group, masked_lm.mask)) for item, group in groups]
    found: dict[int, list[float]] = {}
    for target, values in zip(targets, log_probabilities(masked_lm, changed, targets), strict=True):
        for token, value in zip(target.values(), values, strict=True):
            found.setdefault(token, []).append(-value)
    return {token: float(np.mean(values)) for token, values in found.items()}


def hidden_places(inputs: Sequence[Input], seed: int) -> list[tuple[Input, list[int]]]:
    """Inputs with the 0-based positions that are hidden in them, in the order in which these were drawn."""
    types = set(_frequent(Counter(token for item in inputs for token in item.input_ids)))
    drawn: dict[int, list[tuple[float, int, int]]] = {token: [] for token in types}
    # Every input draws for itself, so that what is hidden in it does not depend on the others.
    for number, item in enumerate(inputs):
        chance = draws(item, STUDY, seed).random(len(item))
        for at in text_places(item).tolist():
            if item.input_ids[at] in types:
                drawn[item.input_ids[at]].append((chance[at], number, at))
    found: list[list[int]] = [[] for _ in inputs]
    for _, number, at in sorted(place for places in drawn.values() for place in sorted(places)[:HIDDEN]):
        found[number].append(at)
    return list(zip(inputs, found, strict=True))


def together(item: Input, places: Sequence[int]) -> list[list[int]]:
    """The places of one input, divided into as few groups of nearly equal size as SHARE allows."""
    most = max(int(SHARE * len(item)), 1)
    return [group.tolist() for group in np.array_split(places, -(-len(places) // most))] if places else []


def _frequent(counts: Counter[int]) -> list[int]:
    """Types with FEWEST occurrences, the most frequent first."""
    return sorted((token for token in counts if counts[token] >= FEWEST), key=lambda token: (-counts[token], token))


def _watch(of: Subject) -> Watcher:
    scores = TypeScores()

    def tables() -> Tables:
        losses = type_losses(of.masked_lm, of.inputs, of.seed)
        return {"types": [scores.table(of.model, of.corpus, of.pieces, losses)]}

    return Watcher(scores.add, tables)


def _again(of: Subject) -> int:
    return sum(map(len, few_each(of.inputs, of.seed))) if of.masked_lm else 0


PROCEDURE = Procedure("types", TEXT, _watch, tables=("types",), again=_again)
