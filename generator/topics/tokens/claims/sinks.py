"""What the sources say of [SEP], asked of the token on which the model's own attention rests: its sink.

The sink is the one of [CLS], [SEP], and periods and commas that gets most attention beyond what uniform attention gives
it. Claims on text take it from the layer where that is most; it is found on one half of the documents, and numbers come
from the other. Claims on words take the sink of each layer from the text, and numbers from the words of a treebank.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from generator.claims.claim import Claim, Finding, part
from generator.claims.cutoffs import SEED
from generator.claims.evidence.documents import Documents
from generator.claims.evidence.evidence import UNIFORM, Evidence
from generator.claims.gate.premises import NO_TWIN, PREFERRED, attended
from generator.claims.gate.resting import PLACES
from generator.claims.gate.sentences import heard
from generator.claims.missing import NotTestable, Unasked, defined
from generator.claims.nameless import OF_LAYERS
from generator.claims.verdict import OPPOSITE
from generator.numbers.number import Number, difference, mean_of
from generator.numbers.resampling import mean_over
from generator.numbers.simultaneous import widened
from generator.numbers.writing import written
from generator.topics.layers.claims.phases import HYPOTHESIS
from generator.topics.relations.claims.chosen import chosen_heads
from generator.topics.relations.claims.outside import specialists
from generator.topics.relations.records.trees import RESTING, SIDES, TWIN

LONER = "attention.punctuation"
NORM_OF = {place: place.replace("attention", "norm") for place in PLACES}
WORDS = dict(zip(PLACES, ("[CLS]", "[SEP]", "periods and commas"), strict=True))
FOUND = (
    "The sink is the one of [CLS], [SEP], and periods and commas that gets most beyond its share in uniform attention"
)


class Sink(NamedTuple):
    """Where a model rests most."""

    column: str
    """The measure of attention to it."""
    layer: int
    """From 0."""
    fixed: str
    """The measure of attention to whichever of [CLS] and [SEP] gets more beyond its share in that layer."""


def beyond(rows: Documents) -> np.ndarray:
    """`[place, layer]`: attention to each of PLACES beyond its share in uniform attention, mean over heads."""
    return np.stack([rows.mean(place).mean(-1) - rows.mean(f"{UNIFORM}{place}").mean() for place in PLACES])


def sink(evidence: Evidence) -> Sink:
    """The model's sink, on one half of the documents. Raises NotTestable without text."""
    found = np.nan_to_num(beyond(evidence.half(_columns(), later=False)), nan=-np.inf)
    place, layer = np.unravel_index(found.argmax(), found.shape)
    at = PLACES.index(LONER)
    return Sink(PLACES[place], int(layer), PLACES[found[:at, layer].argmax()])


def _columns() -> list[str]:
    return [*PLACES, *(f"{UNIFORM}{place}" for place in PLACES)]


def _attended(evidence: Evidence) -> None:
    """The premise that the sink gets surely more attention than chance gives it."""
    found = sink(evidence)
    attended(
        f"{WORDS[found.column]} in layer {found.layer + 1}",
        [found.column],
        lambda layers: np.arange(layers) == found.layer,
    )(evidence)


def _fixed_lead(evidence: Evidence) -> Number:
    found = sink(evidence)
    columns = [found.fixed, LONER]

    def lead(fixed: np.ndarray, loner: np.ndarray) -> np.ndarray:
        return _in(fixed, found.layer) - _in(loner, found.layer)

    return evidence.half(columns, later=True).estimate(columns, lead, SEED)


def _in_sentences(evidence: Evidence, found: Finding) -> Iterator[str]:
    """What sentences of treebanks contradict of the lead in running text: words give their attention to other tokens
    where each sentence is an input.
    """
    names = [f"{place.removeprefix('attention.')}.{SIDES[0]}" for place in PLACES]
    for corpus, text in heard(evidence, RESTING.name, names[0]).items():
        shares = [text.head_facts(RESTING.name, name, corpus) for name in names]
        layer = int(np.nan_to_num([share.value.mean(-1) for share in shares]).max(0).argmax())
        *fixed, loner = (mean_of(share, np.arange(evidence.layers) == layer) for share in shares)
        lead = difference(max(fixed, key=lambda share: np.nan_to_num(share.value)), loner)
        if found.part.verdict(widened(lead, evidence.layers)) == OPPOSITE[found.verdict]:
            told = written(lead, against=found.part.against)
            yield f"by the words of the sentences of {corpus} it is {told} in layer {layer + 1}"


def _by_norm(evidence: Evidence) -> Number:
    found = sink(evidence)
    columns = [NORM_OF[found.column], found.column]

    def ratio(norm: np.ndarray, weight: np.ndarray) -> np.ndarray:
        return _in(norm, found.layer) / _in(weight, found.layer)

    return evidence.half([*NORM_OF.values(), found.column], later=True).estimate(columns, ratio, SEED)


def _in(means: np.ndarray, layer: int) -> np.ndarray:
    """The mean over the heads of a layer, `[draw]`, from `[draw, layer, head]`."""
    mean: np.ndarray = means[:, layer].mean(-1)
    return mean


LEAD = part(
    "H13.1",
    "how much more [CLS] or [SEP] gets than periods and commas, in the layer in which one of them gets most",
    "share",
    _fixed_lead,
    premises=(_attended,),
)
H13 = Claim(
    id="H13",
    title="Attention rests on a token in a fixed place",
    statement="The token on which a model's attention rests is one in a fixed place, and not a period or comma.",
    paper=HYPOTHESIS,
    section="phase two; asked of the model's own sink",
    measure=(
        f"{FOUND}, in the layer where that is most, on one half of the documents. On the other half, in that layer: "
        "attention to [CLS] or [SEP], whichever gets more beyond its share, minus that to periods and commas, mean "
        "over heads; documents are resampled. The words of treebanks, whose sentences are inputs by themselves, may "
        "contradict it: the same there, in the layer that gives one of these most."
    ),
    needs="text in which one of [CLS], [SEP], and periods and commas gets twice the attention that chance gives",
    parts=(replace(LEAD, elsewhere=_in_sentences),),
    measures=PLACES,
    numbers=("resting/*.outside",),
    nameless=OF_LAYERS,
)


H14 = Claim(
    id="H14",
    title="The token on which attention rests adds little",
    statement="The token on which a model's attention rests adds little to what its heads write.",
    paper=HYPOTHESIS,
    section="phase two; asked of the model's own sink, by the norms of Kobayashi et al. 2020",
    measure=(
        f"{FOUND}, in the layer where that is most, on one half of the documents. On the other half, in that layer: "
        "its share of the summed norms divided by its share of attention, mean over heads each; documents are "
        "resampled. A token that adds as much as it is attended to has 1."
    ),
    needs=(
        "text in which one of [CLS], [SEP], and periods and commas gets twice the attention that chance gives, and the "
        "value and output projections of the model"
    ),
    parts=(
        part(
            "H14.1",
            "the share of the sink counted by norm divided by its share counted by weight",
            "ratio",
            _by_norm,
            premises=(_attended,),
        ),
    ),
    measures=(*PLACES, *NORM_OF.values()),
    nameless=OF_LAYERS,
)


def _by_layer(evidence: Evidence) -> dict[int, str]:
    """0-based layer -> the name of its sink in the study, for layers in which one gets twice its share.

    Raises NotTestable without text, or if there is no such layer.
    """
    rows = evidence.half(_columns(), later=False)
    found = np.nan_to_num(beyond(rows), nan=-np.inf)
    chance = np.array([rows.mean(f"{UNIFORM}{place}").mean() for place in PLACES])
    places = {layer: int(found[:, layer].argmax()) for layer in range(evidence.layers)}
    resting = {
        layer: PLACES[at].removeprefix("attention.")
        for layer, at in places.items()
        if found[at, layer] >= (PREFERRED - 1) * chance[at]
    }
    if not resting:
        raise NotTestable(
            f"in no layer of {evidence.model} one of [CLS], [SEP], and periods and commas gets {PREFERRED:g} times the "
            "attention that chance would give"
        )
    return resting


def _lead(evidence: Evidence, of: str = "") -> np.ndarray:
    """`[layer, head]`: attention to a layer's sink from words outside a head's relation minus that from words inside;
    NaN where a layer has no sink. `of` begins the names of the numbers.

    Numbers are of the treebank in which heads find relations. Raises NotTestable.
    """
    lead = np.full((evidence.layers, evidence.heads), np.nan)
    resting = _by_layer(evidence)
    chosen_heads(evidence)
    corpus = evidence.trail[-1].corpus
    for layer, kind in resting.items():
        names = (f"{of}{kind}.{side}" for side in SIDES)
        outside, inside = (evidence.head_facts(RESTING.name, name, corpus).value[layer] for name in names)
        lead[layer] = outside - inside
    return lead


def _finding(evidence: Evidence) -> np.ndarray:
    """`[layer, head]`: whether the head finds a relation and its layer has a sink."""
    found = np.zeros((evidence.layers, evidence.heads), bool)
    for place in specialists(evidence):
        found[place] = True
    found[~np.isin(np.arange(evidence.layers), [*_by_layer(evidence)])] = False
    evidence.named.clear()
    evidence.name(found)
    return found


NO_SINK = "no head that finds a relation lies in a layer that rests on a token"
NO_OTHER = "every head of the layers that rest on a token finds a relation"


def _outside(evidence: Evidence) -> Number:
    return defined(mean_over(_lead(evidence)[_finding(evidence)], -1, 1), NO_SINK)


def _beside_others(evidence: Evidence) -> Number:
    lead, finding = _lead(evidence), _finding(evidence)
    others = defined(mean_over(lead[~finding], -1, 1), NO_OTHER)
    return difference(_outside(evidence), others)._replace(n=int((~np.isnan(lead[finding])).sum()))


def _beside_twin(evidence: Evidence) -> Number:
    finding = _finding(evidence)
    try:
        twin = _lead(evidence, TWIN)
    except NotTestable:
        _outside(evidence)
        raise Unasked(NO_TWIN) from None
    return defined(mean_over((_lead(evidence) - twin)[finding], -2, 2), NO_SINK)


H15 = Claim(
    id="H15",
    title="Words outside a head's relation go to the model's own sink",
    statement="Words to which the function of a head does not apply turn to the token on which its layer rests.",
    paper=HYPOTHESIS,
    section="phase two; asked of the model's own sink",
    measure=(
        f"{FOUND}; each layer has its own, found on half of the documents of a text, where it gets {PREFERRED:g} times "
        "its share. Of the heads of such layers that are named for finding a relation: attention to the sink from "
        "words of a treebank outside the head's own relation minus that from words inside; that minus the same of the "
        "other heads of these layers; and minus the same of the heads in "
        "these places of an untrained twin. Intervals over heads are Student's, and both of the second combined as if "
        "both erred in the worst direction."
    ),
    needs="a text, a treebank, and heads that are named for finding a relation in layers that rest on a token",
    parts=(
        part(
            "H15.1",
            "attention to the sink from words outside a head's relation minus that from words inside",
            "share",
            _outside,
            over="heads",
        ),
        part(
            "H15.2",
            "the lead of words outside a relation in attention to the sink, minus that in heads that find no relation",
            "share",
            _beside_others,
            over="heads",
        ),
        part(
            "H15.3",
            "the lead of words outside a relation in attention to the sink, minus that in an untrained twin",
            "share",
            _beside_twin,
            over="heads",
        ),
    ),
    measures=PLACES,
    numbers=("resting/*.outside", "resting/*.inside"),
    which="named for finding a relation, in layers that rest on a token",
)

CLAIMS = (H13, H14, H15)
