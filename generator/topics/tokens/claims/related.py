"""Related work: norms, positional heads, sinks.

What each statistic was compared with in its source stands in `docs/ported-statistics.md`.
"""

import numpy as np

from generator.claims.claim import Claim, part, stored_part
from generator.claims.cutoffs import SEED
from generator.claims.evidence.evidence import Evidence
from generator.claims.gate.premises import attended
from generator.claims.missing import NotTestable
from generator.claims.nameless import OF_ALL
from generator.numbers.number import Number
from generator.numbers.simultaneous import widened
from generator.topics.tokens.records.tokens import CONFIDENT, MOST_ROWS, NORMS


def _special_by_norm(evidence: Evidence) -> Number:
    columns = ["norm.cls", "norm.sep", "attention.cls", "attention.sep"]

    def ratio(norm_begin: np.ndarray, norm_end: np.ndarray, begin: np.ndarray, end: np.ndarray) -> np.ndarray:
        share: np.ndarray = (norm_begin + norm_end).mean((1, 2)) / (begin + end).mean((1, 2))
        return share

    return evidence.estimate(columns, ratio, SEED)


_SPECIAL_ATTENDED = attended(
    "[CLS] and [SEP]", ["attention.cls", "attention.sep"], lambda layers: np.ones(layers, bool)
)


R01 = Claim(
    id="R01",
    title="By norm, rare words contribute much and special tokens little",
    statement="Counted by norm, special tokens contribute little; frequent words have smaller transformed vectors.",
    paper="Kobayashi et al. 2020",
    section="abstract; relation to word frequency",
    measure=(
        "Spearman's correlation of frequency rank with the norm of transformed vectors, over tokens and with the mean "
        "over layers taken first, as in the released code, with a jackknife interval over documents; share of special "
        "tokens in the summed norms divided by their share of attention, means over all heads, documents resampled. "
        "That frequent words have smaller vectors is known to us from memory alone. The second number needs special "
        "tokens that get twice the attention that chance gives."
    ),
    needs=(
        "a [CLS] and a [SEP] that get twice the attention that chance gives, and the value and output projections of "
        "the model with the study of norms"
    ),
    parts=(
        stored_part(
            "R01.3",
            "the rank correlation of rarity and norm",
            NORMS,
            "frequency_norm.tokens.spearman",
        ),
        part(
            "R01.2",
            "the share of special tokens counted by norm divided by their share counted by weight",
            "ratio",
            _special_by_norm,
            premises=(_SPECIAL_ATTENDED,),
        ),
    ),
    published=("kobayashi.spearman.norm", "kobayashi.spearman.weight"),
    comparable=("kobayashi.spearman.norm",),
    measures=("norm.cls", "norm.sep", "attention.cls", "attention.sep"),
    numbers=("norms/frequency_norm.tokens.spearman",),
    nameless=OF_ALL,
)


def _positional(evidence: Evidence) -> Number:
    """How positional the most positional head is: 1 or more if it meets both criteria of the paper.

    A head's value is the smaller of two shares: how often its largest weight is on one neighbour, and its confidence,
    each divided by what the paper asks for. The interval allows for the number of heads.
    """
    previous, following, confidence = (
        evidence.head_facts("maxima", name) for name in ("previous", "next", "confidence")
    )
    rows = np.fmax(previous.value, following.value) / MOST_ROWS
    found = np.fmin(rows, confidence.value / CONFIDENT)
    if np.isnan(found).all():
        raise NotTestable("no row has a largest weight that could be placed")
    layer, head = np.unravel_index(np.nanargmax(found), found.shape)
    place = int(layer), int(head)
    evidence.named.append((place[0] + 1, place[1] + 1))
    side = previous if previous.value[place] >= following.value[place] else following
    both = _as_share(side.at(*place), MOST_ROWS), _as_share(confidence.at(*place), CONFIDENT)
    weaker = min(both, key=lambda number: number.value)
    return widened(weaker, found.size)


def _as_share(number: Number, asked: float) -> Number:
    return Number(number.value / asked, number.low / asked, number.high / asked, number.n)


R03 = Claim(
    id="R03",
    title="Positional heads are confident",
    statement="There are positional heads, whose maxima lie at one neighbouring position and carry most of the weight.",
    paper="Voita et al. 2019",
    section="criteria of positional heads",
    measure=(
        f"Of the head that comes closest: its share of maxima on the previous token, or on the next, divided by "
        f"{MOST_ROWS}, or its mean largest weight divided by {CONFIDENT}, whichever is lower; last query left out. "
        "Documents are resampled, and the interval allows for all heads tried. The paper's heads are those of a "
        "translation encoder."
    ),
    needs="text that the model can read, with the study of maxima",
    parts=(
        part(
            "R03.2",
            "the weaker of the two scores of the most positional head divided by the score that is asked for",
            "ratio",
            _positional,
        ),
    ),
    published=("voita.positional.maxima", "voita.positional.weight"),
    numbers=("maxima/confidence", "maxima/next", "maxima/previous"),
    which="closest to both criteria",
)


def _middle_sink(evidence: Evidence) -> Number:
    """The largest sink weight that more than half of the layers reach: it decides whether most layers have a sink."""
    shared = evidence.facts("sinks", "shared")
    order = np.argsort(-shared.value, kind="stable")
    return shared.at(int(order[evidence.layers // 2]))


R06 = Claim(
    id="R06",
    title="A sink collects attention in most layers",
    statement="In most layers one token collects much of the attention, whatever it means.",
    paper="Xiao et al. 2023",
    section="appendix H",
    measure=(
        "Weight on the position that receives most, which is chosen in every input, mean over the queries and heads of "
        "a layer; of the layer that decides whether most layers have as much. Documents are resampled. The paper "
        "reports [SEP] for BERT and prints no number; which token it is does not count here."
    ),
    needs="text that the model can read",
    parts=(
        part(
            "R06.2", "the attention to a single position that more than half of the layers reach", "share", _middle_sink
        ),
    ),
    numbers=("sinks/shared",),
    nameless="the token is one that the heads of a layer look at together",
)


CLAIMS = (R01, R03, R06)
