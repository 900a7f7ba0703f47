"""Claims on changed inputs: separators (Kovaleva et al. 2019, section 4.4), segments and masks (Feinberg 2019)."""

from generator.claims.claim import Claim, stored_part
from generator.claims.evidence.evidence import Evidence
from generator.claims.gate.premises import check_attended, holds_separators
from generator.claims.kovaleva.attention import KOVALEVA
from generator.claims.nameless import OF_ALL
from generator.claims.others.introductions import NOTES
from generator.topics.inputs.records.inputs import MANIPULATIONS
from generator.topics.inputs.records.separators import SEPARATORS
from generator.topics.learning.claims.before import before_training


def separator_attended(evidence: Evidence) -> None:
    """The premise that the last [SEP] gets surely more attention than chance gives it, mean over all heads."""
    there, chance = (evidence.fact(SEPARATORS.name, f"base.{name}") for name in ("last", "uniform"))
    check_attended(evidence, "[SEP]", there, chance.value)


K11 = Claim(
    id="K11",
    title="A single [SEP] takes more weight",
    statement="Inputs of one sentence give their single [SEP] more weight than pairs give either of theirs.",
    paper=KOVALEVA,
    section="4.4",
    measure=(
        "Mean weight on the [SEP] that a head looks at most, with both paragraphs read as one segment, minus the "
        "same with the paragraphs apart; mean over heads and layers, documents resampled. The paper compares tasks, "
        "whose texts differ."
    ),
    needs="two [SEP] in a pair, which get twice the attention that chance gives, and text in pairs of paragraphs",
    parts=(
        stored_part(
            "K11.1",
            "the weight of a single [SEP] minus that of the larger of two",
            SEPARATORS,
            "single.gain",
            premises=(holds_separators(2), separator_attended),
        ),
    ),
    measures=("attention.sep", "attention.max"),
    numbers=("separators/base.last", "separators/base.uniform", "separators/single.gain"),
    nameless=OF_ALL,
)


Q03 = Claim(
    id="Q03",
    title="Segment embeddings are redundant",
    statement="Segment embeddings are seemingly redundant beside position embeddings.",
    paper=NOTES,
    section="conclusions",
    measure=(
        "Rise of the masked-LM loss when all segment ids are 0, and Jensen-Shannon divergence between the rows of the "
        "maps with and without them, mean over heads; documents are resampled. It holds only where it says more than "
        "of the same model before training."
    ),
    needs="segment embeddings, a masked-LM head, and the model before its training: fieldguide curve RUN_OR_LIST",
    parts=(
        stored_part(
            "Q03.1",
            "the rise of the loss without segments",
            MANIPULATIONS,
            "segments.zero.loss",
            null=before_training("Q03.1"),
        ),
        stored_part(
            "Q03.2",
            "the change of maps without segments",
            MANIPULATIONS,
            "segments.zero.js",
            null=before_training("Q03.2"),
        ),
    ),
    numbers=(
        "claim/Q03.1",
        "claim/Q03.2",
        "manipulations/segments.zero.js",
        "manipulations/segments.zero.loss",
    ),
    nameless=OF_ALL,
)


Q04 = Claim(
    id="Q04",
    title="Masked words change the maps",
    statement="[MASK] occurs in training only, so maps of whole text are other than those of text with gaps.",
    paper=NOTES,
    section="our reading of its open questions",
    measure=(
        "Jensen-Shannon divergence between the rows of the maps with 15 % of the words masked and with none, at tokens "
        "that stay, mean over heads; documents are resampled. It holds only where it says more than of the same model "
        "before training: sharp maps change with any word."
    ),
    needs="a mask token, and the model before its training: fieldguide curve RUN_OR_LIST",
    parts=(
        stored_part(
            "Q04.1",
            "the change of maps when words are masked",
            MANIPULATIONS,
            "masks.15.js",
            null=before_training("Q04.1"),
        ),
    ),
    published=("bert.masking.chosen", "bert.masking.mask"),
    numbers=("claim/Q04.1", "manipulations/masks.15.js"),
    nameless=OF_ALL,
)

CLAIMS = (K11, Q03, Q04)
