"""How broad a head's attention is (Clark et al. 2019, section 3.3)."""

from generator.corpora.classes import TokenClass
from generator.measures.measure import Measure, ratio

CLARK_33 = "Clark et al. 2019, section 3.3; formulas as in the released notebook General_Analysis, cell 7"
SMOOTHING = (
    "Not smoothed unless the settings say so. The released notebook smooths each row with 0.0001 of uniform attention, "
    "which moves the mean by about 0.001 nats; --entropy-smoothing 0.0001 does the same."
)

ENTROPY = Measure(
    name="entropy.all",
    title="Entropy",
    definition="Mean over query tokens of the entropy of the attention row: 0 for a single target, ln n for uniform.",
    formula="(1/n) sum_i - sum_j A[i, j] ln A[i, j]",
    reference="ln n",
    source=CLARK_33,
    unit="nats",
    range="0 to ln n",
    compute=lambda p, c: ratio(p.entropy.sum(-1), c.tokens),
    caveats=(SMOOTHING,),
)
BEGIN_ENTROPY = Measure(
    name="entropy.cls",
    title="Entropy of the row of [CLS]",
    definition="Entropy of the attention that [CLS] gives: high when it gathers from the whole text.",
    formula="- sum_j A[begin, j] ln A[begin, j]",
    reference="ln n",
    source=CLARK_33,
    unit="nats",
    range="0 to ln n",
    compute=lambda p, c: ratio(p.entropy[..., TokenClass.BEGIN], c.by_class[TokenClass.BEGIN]),
    caveats=("Undefined for models whose tokenizer puts no token such as [CLS] first.", SMOOTHING),
)
LARGEST = Measure(
    name="attention.max",
    title="Largest weight",
    definition="Mean over query tokens of the largest weight in the row, whichever token it falls on.",
    formula="(1/n) sum_i max_j A[i, j]",
    reference="1/n",
    source='Clark et al. 2019, section 3.3 ("at most 10 % on any single word"); Voita et al. 2019 call it confidence',
    unit="share",
    range="0 to 1",
    compute=lambda p, c: ratio(p.largest, c.tokens),
    caveats=("Voita et al. leave out the end-of-sentence query; we keep every query.",),
)
