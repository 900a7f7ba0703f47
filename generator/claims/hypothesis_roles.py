"""The hypothesis of 2021: what its special tokens are and do, and where deep heads look.

Statements about the place of tokens are about the inputs that a model reads, those about heads about the model.
"""

from generator.claims.claim import Bound, Claim, Part
from generator.claims.evidence import Evidence
from generator.claims.hypothesis import HYPOTHESIS
from generator.claims.numbers import Number, exact, mean_of
from generator.studies.layer_profiles import lowest_third
from generator.studies.neighbours import SAMPLE

SEPARATORS, MARKS = ("[SEP]", "</s>"), (".", ",")
FAR = 0.5
"""Far below is less than half; the source gives no number."""


def _carried(evidence: Evidence) -> list[Number | None]:
    return [evidence.fact("begin", name) for name in ("swap.begin.loss", "swap.lead")]


H06 = Claim(
    id="H06",
    title="The begin token is read for what it gathered",
    statement="Lower heads attend to [CLS] for information about other tokens, not about itself.",
    paper=HYPOTHESIS,
    section="phase one",
    measure=(
        "Rise of the masked-LM loss when the value vectors of the begin token in the lowest third of layers, two at "
        "least, are those of another text, for the same words; and that rise less the same for the last separator. "
        "Documents are resampled."
    ),
    needs="a masked-LM head, begin token and separator, and two layers or more",
    parts=(
        Part(
            "the rise of the loss with the begin token of another text",
            "nats",
            (Bound("above", 0),),
            "What is read for itself may as well come from another text.",
        ),
        Part(
            "the rise of the loss so, less the rise with the last separator of another text",
            "nats",
            (Bound("above", 0),),
            "The begin token must carry more than a token at which nothing is to be found.",
        ),
    ),
    judge=_carried,
)


def _steady(evidence: Evidence) -> list[Number | None]:
    roles = evidence.roles()
    if roles is None:
        return [None, None]
    types = roles[roles["count"] >= SAMPLE].groupby("token").mean(numeric_only=True)
    separators, marks = (types[types.index.isin(names)] for names in (SEPARATORS, MARKS))
    found: list[Number | None] = []
    for column in ("end_deviation", "position_deviation"):
        fixed, flexible = separators[column].max(), marks[column].min()
        found.append(exact(float(fixed / flexible), len(separators) + len(marks)) if flexible > 0 else None)
    return [number if len(separators) else None for number in found]


H07 = Claim(
    id="H07",
    title="Separators have a fixed place, periods and commas a flexible one",
    statement="[SEP] is fixed at the end of its part; the position of periods and commas is flexible.",
    paper=HYPOTHESIS,
    section="special part of speech",
    measure=(
        "Standard deviation, over the occurrences of a token, of its distance to the end of its part and of its "
        "position in the input: that of the separator as a share of that of the steadier of period and comma; counted. "
        "A separator ends its part by definition, so the first is 0 wherever a mark moves; only the second can "
        "surprise."
    ),
    needs=f"separators, and periods or commas, each at least {SAMPLE} times",
    parts=(
        Part(
            "the deviation of separators from the end of their part, as a share of that of marks",
            "ratio",
            (Bound("below", FAR),),
            "Fixed is far below flexible: less than half, which is ours.",
            over="token types",
        ),
        Part(
            "the deviation of separators in the input, as a share of that of marks",
            "ratio",
            (Bound("below", FAR),),
            "All separators count, because a head has to find the first of a pair, too.",
            over="token types",
        ),
    ),
    judge=_steady,
)


def _same_part(evidence: Evidence) -> list[Number | None]:
    deep = lowest_third(evidence.layers)[::-1]
    gain, matched = (mean_of(evidence.head_facts("words", f"span.{name}"), deep) for name in ("gain", "matched"))
    if gain is None or matched is None or matched.low <= 0:
        return [None]
    low = gain.low / (matched.high if gain.low > 0 else matched.low)
    high = gain.high / (matched.low if gain.high > 0 else matched.high)
    return [Number(1 + gain.value / matched.value, 1 + low, 1 + high, gain.n)]


H08 = Claim(
    id="H08",
    title="Deep heads stay within a part of the sentence",
    statement="Deep heads find the tokens of the same part of the sentence, between two punctuation marks.",
    paper=HYPOTHESIS,
    section="phase three",
    measure=(
        "Weight on other words of the same stretch between punctuation marks, divided by what the head gives to words "
        "at these distances wherever they are; means over the heads of the last third of layers. One more than the "
        "paired difference divided by the latter; sentences are resampled, intervals of heads averaged."
    ),
    needs="a treebank with sentences of several parts: fieldguide analyze MODEL",
    parts=(
        Part(
            "the weight within the same part, as a multiple of that at the same distances",
            "ratio",
            (Bound("above", 1),),
            "More than distance alone explains.",
            over="sentences",
        ),
    ),
    judge=_same_part,
)
