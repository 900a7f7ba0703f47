"""The studies of running text: distances between heads, roles, vectors by layer, frequency."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from generator.attention.anatomy import Anatomy
from generator.attention.stream import Observed
from generator.corpora.pairs import Input
from generator.models.encoder import Encoder
from generator.models.masked_lm import MaskedLM
from generator.studies.distances.divergence import pairwise
from generator.studies.distances.doubles import twin_doubles
from generator.studies.distances.landscape import FEWEST_HEADS, behaviours, landscape
from generator.studies.inputs.begin_token import begin_facts
from generator.studies.inputs.manipulations import manipulation_facts
from generator.studies.inputs.no_op import no_op_facts
from generator.studies.inputs.occlusion import occlusion_facts
from generator.studies.inputs.separators import place_facts, separator_facts
from generator.studies.inputs.single_segment import single_facts
from generator.studies.tokens.frequency import frequency_facts
from generator.studies.tokens.matching import MatchingScores
from generator.studies.tokens.maxima import MaximaScores
from generator.studies.tokens.model_facts import model_facts
from generator.studies.tokens.roles import RoleCounts
from generator.studies.tokens.sinks import SinkScores
from generator.studies.tokens.types import TypeScores
from generator.studies.vectors.contextuality import contextuality

OF_LOSSES = (occlusion_facts, begin_facts, no_op_facts)


class MapStudies:
    """What needs whole maps and the tokens they belong to; looks at every input of one corpus while it is observed."""

    def __init__(
        self,
        model: str,
        corpus: str,
        shape: tuple[int, int],
        inputs: Sequence[Input],
        seed: int,
        pieces: Callable[[list[int]], list[str]],
    ) -> None:
        """`pieces` gives the text of vocabulary ids."""
        self._model = model
        self._corpus = corpus
        self._shape = shape
        self._inputs = inputs
        self._seed = seed
        self._pieces = pieces
        self._roles = RoleCounts(inputs, seed)
        self._types = TypeScores()
        self._streams = MatchingScores(pieces), MaximaScores(), SinkScores()
        self._divergence: dict[str, list[tuple[int, np.ndarray]]] = defaultdict(list)

    def add(self, seen: Observed) -> None:
        """Look at one input, whose maps must have been kept. The order of calls does not matter."""
        assert seen.weights is not None, "text is studied with its weights"
        self._roles.add(seen.input, seen.weights)
        self._types.add(seen)
        for stream in self._streams:
            stream.add(seen)
        self._divergence[seen.input.document].append((seen.input.part, pairwise(seen.weights)))

    def tables(self, heads: pd.DataFrame, losses: Mapping[int, float]) -> dict[str, list[pd.DataFrame]]:
        """All tables; `heads` holds the measures of this corpus, `losses` what `type_losses` gives."""
        divergence = self._by_document()
        roles = self._roles.table(self._model, self._corpus, self._pieces)
        of_model, of_heads = map(
            list, zip(*(one.tables(self._model, self._corpus, self._seed) for one in self._streams), strict=True)
        )
        of_model.append(place_facts(roles, self._model, self._corpus, self._seed))
        found: dict[str, list[pd.DataFrame]] = {
            "divergence": [divergence],
            "roles": [roles],
            "types": [self._types.table(self._model, self._corpus, self._pieces, losses)],
            "facts": of_model,
            "head_facts": of_heads,
        }
        if self._shape[0] * self._shape[1] >= FEWEST_HEADS:
            rows = np.stack(divergence["divergence"].to_list()).astype(float)
            labels = _behaviours(heads, self._shape)
            place = landscape(rows, self._shape, labels, self._model, self._corpus, self._seed)
            of_model.append(place.facts)
            of_heads.append(place.head_facts)
        return found

    def _by_document(self) -> pd.DataFrame:
        """One row per document: the mean over its parts."""
        names = sorted(self._divergence)
        tokens: dict[str, list[int]] = defaultdict(list)
        for item in self._inputs:
            tokens[item.document].append(len(item))
        parts = [[found for _, found in sorted(self._divergence[name], key=lambda pair: pair[0])] for name in names]
        return pd.DataFrame(
            {
                "corpus": self._corpus,
                "document": names,
                "tokens": [float(np.mean(tokens[name])) for name in names],
                "divergence": [np.mean(found, axis=0).astype(np.float32) for found in parts],
            }
        )


def vector_facts(
    encoder: Encoder, anatomy: Anatomy, corpus: str, inputs: Sequence[Input], seed: int
) -> list[pd.DataFrame]:
    """`facts` of what needs the model: its vocabulary, vectors by layer, norms of frequent tokens, untrained twins."""
    model = encoder.id
    return [
        model_facts(encoder, model, corpus),
        contextuality(encoder, inputs, model, corpus, seed),
        frequency_facts(encoder, anatomy, inputs, model, corpus, seed),
        twin_doubles(encoder, anatomy, corpus, inputs, seed, FEWEST_HEADS),
    ]


def changed_inputs(
    encoder: Encoder,
    anatomy: Anatomy,
    corpus: str,
    inputs: Sequence[Input],
    seed: int,
    masked_lm: MaskedLM | None = None,
) -> dict[str, list[pd.DataFrame]]:
    """`facts` and `head_facts` of what becomes of attention, and of a masked-LM loss, when the input is changed."""
    found = manipulation_facts(encoder, anatomy, corpus, inputs, seed, masked_lm)
    separators = [study(encoder, anatomy, corpus, inputs, seed) for study in (separator_facts, single_facts)]
    predicted = [study(masked_lm, corpus, inputs, seed) for study in OF_LOSSES if masked_lm]
    return found | {"facts": [table for part in (found.get("facts", []), *separators, *predicted) for table in part]}


def _behaviours(heads: pd.DataFrame, shape: tuple[int, int]) -> np.ndarray:
    ordered = heads.sort_values(["measure", "layer", "head"])
    means = {str(name): group["value"].to_numpy().reshape(shape) for name, group in ordered.groupby("measure")}
    uniform = ordered.loc[ordered["measure"] == "entropy.all", "uniform"].iloc[0]
    return behaviours(means, float(uniform))
