"""The hypothesis of 2021: what its special tokens are and do, and where deep heads look.

Statements about the place of tokens concern the inputs that a model reads; statements about heads concern the model.
"""

from generator.claims.claim import Claim, part, stored_part
from generator.claims.evidence.evidence import Evidence
from generator.claims.gate.premises import attended
from generator.claims.missing import ByConstruction, NotTestable
from generator.claims.nameless import OF_LAYERS, OF_TOKENS
from generator.numbers.depth import lowest_third
from generator.numbers.number import Number
from generator.topics.inputs.records.inputs import BEGIN
from generator.topics.layers.claims.phases import HYPOTHESIS
from generator.topics.relations.records.relations import MARK
from generator.topics.relations.records.trees import WORDS

WITHIN = "span.ratio"
_BEGIN_ATTENDED = attended("[CLS] in the lowest third of layers", ["attention.cls"], lowest_third)


H06 = Claim(
    id="H06",
    title="[CLS] is read for what it gathered",
    statement="Lower heads attend to [CLS] for what it has gathered about other tokens, not for itself.",
    paper=HYPOTHESIS,
    section="phase one",
    measure=(
        "Rise of the masked-LM loss when the value vectors of [CLS] in the lowest third of layers, at least two, are "
        "those of another text, for the same words; and that rise minus the same for the last [SEP]. Documents are "
        "resampled."
    ),
    needs=(
        "a masked-LM head, a [CLS] that gets twice the attention that chance gives, a [SEP], and two layers or more"
    ),
    measures=("attention.cls",),
    parts=(
        stored_part(
            "H06.1",
            "the rise of the loss with the [CLS] of another text",
            BEGIN,
            "swap.begin.loss",
            premises=(_BEGIN_ATTENDED,),
        ),
        stored_part(
            "H06.2",
            "the rise of the loss with the [CLS] of another text minus the rise with its last [SEP]",
            BEGIN,
            "swap.lead",
            premises=(_BEGIN_ATTENDED,),
        ),
    ),
    numbers=("begin/swap.begin.loss", "begin/swap.lead"),
    nameless="all heads of the lower layers read another [CLS] at once",
)


def _steady_end(_: Evidence) -> Number:
    raise ByConstruction("[SEP] ends its part in every input")


def _steady_place(_: Evidence) -> Number:
    raise ByConstruction("where [SEP] stands in an input follows from how texts are packed", "decided")


H07 = Claim(
    id="H07",
    title="[SEP] has a fixed place, periods and commas a flexible one",
    statement="[SEP] is fixed at the end of its part; the position of periods and commas is flexible.",
    paper=HYPOTHESIS,
    section="special part of speech",
    measure=(
        "How much the place of a token varies, from the end of its part and in the input, would be counted, for [SEP] "
        "and for periods and commas; but [SEP] ends its part by definition, and where it stands in an input is decided "
        "by whoever packs the texts, so nothing can be learned of a model."
    ),
    needs="inputs that the model had chosen itself",
    parts=(
        part(
            "H07.1",
            "the variation of [SEP]'s distance from the end of its part divided by that of periods and commas",
            "ratio",
            _steady_end,
            over="kinds of token",
        ),
        part(
            "H07.2",
            "the variation of [SEP]'s position in the input divided by that of periods and commas",
            "ratio",
            _steady_place,
            over="kinds of token",
        ),
    ),
    nameless=OF_TOKENS,
    never=dict.fromkeys(("holds", "fails", "inconclusive"), "it is decided by how inputs are made"),
)


def _within_parts(evidence: Evidence) -> Number:
    if found := evidence.known_fact(WORDS.name, WITHIN):
        return found
    evidence.facts(WORDS.name, WITHIN)
    raise NotTestable(
        f"no sentence that was read has words before and after one that is tagged as punctuation ({MARK})"
    )


H08 = Claim(
    id="H08",
    title="Deep heads stay within a part of the sentence",
    statement="Deep heads find the tokens of the same part of the sentence, between two punctuation marks.",
    paper=HYPOTHESIS,
    section="phase three",
    measure=(
        "Weight on other words of the same stretch between punctuation marks, divided by what the head gives to words "
        "at these distances wherever they are; each the mean over the heads of the last third of layers, on the same "
        "sentences, which are resampled."
    ),
    needs="a treebank with sentences of several parts: fieldguide analyze MODEL",
    parts=(
        part(
            "H08.2",
            "the weight on words of the same part divided by that on words at the same distances anywhere",
            WORDS.quantity(WITHIN).unit,
            _within_parts,
            over="sentences",
        ),
    ),
    numbers=(f"words/{WITHIN}",),
    nameless=OF_LAYERS,
)

CLAIMS = (H06, H07, H08)
