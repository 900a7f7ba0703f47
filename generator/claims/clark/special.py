"""Clark et al. 2019, section 3.2: attention to [CLS], [SEP], periods and commas.

Layers are those of BERT-base; in a model of another depth they are read as relative depth, layer / layers.
"""

from generator.claims.claim import Claim, part
from generator.claims.clark.position import CLARK
from generator.claims.cutoffs import SEED
from generator.claims.evidence.evidence import UNIFORM, Evidence
from generator.claims.gate.premises import attended, holds_separators
from generator.claims.missing import NotTestable
from generator.claims.nameless import OF_LAYERS
from generator.claims.published import of_layers
from generator.numbers.depth import in_depth, lowest_third
from generator.numbers.number import Number, mean_in

MIDDLE, SELF = (6, 10), (5, 9)
"""BERT's layers in which [SEP] takes most of the attention, and those in which it attends to itself."""


IN_PAIRS = holds_separators(2)
"""That inputs are pairs with two [SEP], of which the paper's shares are."""


def _middle_separator(evidence: Evidence) -> Number:
    middle = in_depth(evidence.layers, *MIDDLE)
    return evidence.estimate(["attention.sep"], lambda mass: mean_in(mass, middle), SEED)


def _middle_over_chance(evidence: Evidence) -> Number:
    middle = in_depth(evidence.layers, *MIDDLE)
    columns = ["attention.sep", f"{UNIFORM}attention.sep"]
    return evidence.estimate(columns, lambda mass, chance: mean_in(mass, middle) / chance[:, 0, 0], SEED)


C04 = Claim(
    id="C04",
    title="Middle layers attend to [SEP]",
    statement="In layers 6 to 10, [SEP] takes more than half of the attention, far more than chance.",
    paper=CLARK,
    section="3.2; also the hypothesis of 2021, phase two",
    measure=(
        "Attention to [SEP], mean over the heads of the layers of relative depth 0.5 to 0.83; the same "
        "divided by uniform attention; documents are resampled. The share itself depends on how many [SEP] an input "
        "has and how long it is, so it counts only where inputs hold two, as the paper's pairs do."
    ),
    needs="a [SEP] token, and layers of relative depth 0.5 to 0.83",
    parts=(
        part(
            "C04.1",
            "mean attention to [SEP] in the middle layers",
            "share",
            _middle_separator,
            premises=(IN_PAIRS,),
        ),
        part(
            "C04.2",
            "mean attention to [SEP] in the middle layers as a multiple of uniform attention",
            "ratio",
            _middle_over_chance,
        ),
    ),
    published=("clark.sep.middle", "clark.sep.chance", *of_layers("clark.layers.sep")),
    middle=MIDDLE,
    measures=("attention.sep", "attention.max"),
    nameless=OF_LAYERS,
)


def _early_begin(evidence: Evidence) -> Number:
    early = lowest_third(evidence.layers)
    return evidence.estimate(
        ["attention.cls"], lambda mass: mean_in(mass, early) - mean_in(mass, ~early), SEED, heads=True
    )


def _early_over_chance(evidence: Evidence) -> Number:
    early = lowest_third(evidence.layers)
    columns = ["attention.cls", f"{UNIFORM}attention.cls"]
    return evidence.estimate(columns, lambda mass, chance: mean_in(mass, early) / chance[:, 0, 0], SEED, heads=True)


C05 = Claim(
    id="C05",
    title="Early layers attend to [CLS]",
    statement="Early heads attend to [CLS], more than later heads do.",
    paper=CLARK,
    section="3.2; also the hypothesis of 2021, phase one",
    measure=(
        "Attention to [CLS], mean over heads: the lowest third of layers minus the others, and the lowest "
        "third divided by uniform attention; documents, and the heads of every layer, are resampled."
    ),
    needs="a [CLS] token, and more than one layer",
    parts=(
        part(
            "C05.1",
            "attention to [CLS] in the lowest third of layers minus that in the others",
            "share",
            _early_begin,
            heads=True,
        ),
        part(
            "C05.2",
            "attention to [CLS] in the lowest third as a multiple of uniform attention",
            "ratio",
            _early_over_chance,
            heads=True,
        ),
    ),
    published=of_layers("clark.layers.cls"),
    measures=("attention.cls",),
    nameless=OF_LAYERS,
)


def _last_punctuation(evidence: Evidence) -> Number:
    if not evidence.rows(f"{UNIFORM}attention.punctuation").any():
        raise NotTestable("the text that was read has neither periods nor commas")
    last = ~in_depth(evidence.layers, 0, 10)
    return evidence.estimate(["attention.punctuation"], lambda mass: mean_in(mass, last), SEED)


C06 = Claim(
    id="C06",
    title="The last layers attend to periods and commas",
    statement="Deep heads attend to periods and commas, which take over half of the attention in the last two layers.",
    paper=CLARK,
    section="3.2; also the hypothesis of 2021, phase three",
    measure=(
        "Attention to periods and commas, mean over the heads of the layers deeper than 0.83 of the model; documents "
        "are resampled. The paper says it of single heads, the hypothesis of the last two layers."
    ),
    needs="text with periods or commas",
    parts=(part("C06.1", "mean attention to periods and commas in the last layers", "share", _last_punctuation),),
    published=("clark.punctuation.last", "clark.punctuation.deep", *of_layers("clark.layers.punctuation")),
    comparable=("clark.punctuation.last",),
    measures=("attention.punctuation",),
    nameless=OF_LAYERS,
)


def _separator_to_itself(evidence: Evidence) -> Number:
    middle = in_depth(evidence.layers, *SELF)
    return evidence.estimate(["attention.sep_to_sep"], lambda mass: mean_in(mass, middle), SEED)


_ATTENDED = attended("[SEP] in these layers", ["attention.sep"], lambda layers: in_depth(layers, *SELF))
C07 = Claim(
    id="C07",
    title="[SEP] attends to [SEP]",
    statement="In the middle layers, [SEP] attends almost only to itself and to the other [SEP].",
    paper=CLARK,
    section="3.2",
    measure=(
        "Attention that [SEP] gives to [SEP], mean over the heads of the layers of relative depth 0.42 to "
        "0.75, BERT's 5 to 9; documents are resampled. It is asked where the heads of these layers attend to [SEP]."
    ),
    needs=(
        "inputs of two texts, each with one [SEP], which gets twice the attention that chance gives, and layers of "
        "relative depth 0.42 to 0.75"
    ),
    parts=(
        part(
            "C07.2",
            "mean attention from [SEP] to [SEP] in the middle layers",
            "share",
            _separator_to_itself,
            premises=(IN_PAIRS, _ATTENDED),
        ),
    ),
    published=("clark.sep.to_sep", *of_layers("clark.layers.sep_to_sep")),
    comparable=("clark.sep.to_sep",),
    middle=SELF,
    measures=("attention.sep_to_sep", "attention.sep", "attention.max"),
    home="famous",
    nameless=OF_LAYERS,
)


CLAIMS = (C04, C05, C06, C07)
