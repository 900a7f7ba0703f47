"""The numbers that changed inputs give: what masks, segment ids and single tokens do to maps and losses."""

from generator.measures import COLUMN
from generator.numbers.quantity import Placeholder, Quantity, Study, correlation, nats, share

PAIRED = "Numbers are means over documents, paired with the base; intervals resample documents."
SAMPLE = f"Read is the first part of at most 24 documents. {PAIRED}"
HYPOTHESIS = '"A Hypothesis about Learning Curve of BERT" (2021)'
OUTSIDE = "Only with a masked-LM head."

CHANGE = Placeholder(
    "change",
    {
        "masks.15": "15 % of the words behind masks",
        "masks.40": "40 % of the words behind masks",
        "segments.zero": "every segment id 0",
        "segments.swapped": "segment ids swapped",
    },
)
BASE_LOSS = nats(
    name="base.loss",
    title="Masked-LM loss on 15 % of the words, behind masks",
    range="0 and more",
    definition="Mean negative log-likelihood of 15 % of the words, each behind a mask.",
    caveats=(OUTSIDE,),
)
MANIPULATIONS = Study(
    name="manipulations",
    title="Masks and segment ids",
    about=(
        "The same texts are read with other segment ids, or with words behind the mask token, and compared with the "
        f"texts as they are. Words are all tokens of the text but periods and commas. {SAMPLE}"
    ),
    source="Ours; Feinberg 2019 asks whether segment embeddings are redundant and what the mask token does",
    quantities=(
        nats(
            name="{change}.js",
            title="Change of maps with {change}",
            range="0 to ln 2",
            definition=(
                "Mean Jensen-Shannon divergence between the rows of a head's map as the text is and with "
                "{change}, over the tokens that are the same in both."
            ),
            reference="0 for a map that does not change, ln 2 for rows that share nothing",
            of=("model", "layer", "head"),
            placeholders=(CHANGE,),
        ),
        Quantity(
            name="base.{column}",
            title="{column}, text as it is",
            unit="as the measure",
            definition="The measure on the unchanged texts, mean over heads.",
            of=("model", "layer"),
            placeholders=(COLUMN,),
        ),
        Quantity(
            name="{change}.{column}",
            title="Change of this with {change}: {column}",
            unit="as the measure",
            definition="The measure with {change} minus that of the unchanged texts, mean over heads.",
            reference="0 for no change",
            caveats=("Segments are those of the unchanged text, whatever the model is told.",),
            of=("model", "layer"),
            placeholders=(CHANGE, COLUMN),
        ),
        BASE_LOSS,
        nats(
            name="{change}.loss",
            title="Rise of the masked-LM loss with {change}",
            definition="The loss on the same words with {change}, minus the loss with those words alone behind masks.",
            reference="0 for no change",
            caveats=(OUTSIDE,),
            placeholders=(
                Placeholder("change", {name: words for name, words in CHANGE.values.items() if name != "masks.15"}),
            ),
        ),
    ),
)

TOKEN = Placeholder("token", {"begin": "the begin token", "separator": "the last separator"})
BEGIN = Study(
    name="begin",
    title="The begin token, cut off or swapped",
    about=(
        "In the lowest third of layers, and at least two, one token of each text is changed: no query "
        "attends to it (cut), or its values are those of another text (swap). The same is done to the last "
        f"separator. {SAMPLE}"
    ),
    source=f"Ours, for phase one of {HYPOTHESIS}",
    quantities=(
        BASE_LOSS,
        nats(
            name="cut.{token}.loss",
            title="Rise of the loss without attention to {token} in the lower layers",
            definition=(
                "The masked-LM loss when no query of the lower layers attends to {token}, its weights renormalised, "
                "minus that of the model as it is."
            ),
            reference="0 for no effect",
            placeholders=(TOKEN,),
        ),
        nats(
            name="swap.{token}.loss",
            title="Rise of the loss with the values of {token} from another text in the lower layers",
            definition=(
                "The masked-LM loss when the value vectors of {token} in the lower layers are those of another text, "
                "minus that of the model as it is."
            ),
            reference="0: the token carries nothing of its text",
            placeholders=(TOKEN,),
        ),
        nats(
            name="swap.lead",
            title="Rise by the begin token's swap minus that by the separator's",
            definition="How much more is lost by reading another text's begin token than its last separator.",
            reference="0 where both carry as much",
        ),
        correlation(
            name="breadth.next",
            title="Breadth of the begin token and attention to it one layer later",
            definition=(
                "Spearman's correlation over layers, without the last, of the entropy of the begin token's "
                "row divided by ln n with the attention that the next layer gives to it; means over heads "
                "and documents without masks."
            ),
            reference="0 where the two have nothing to do with each other",
            caveats=("Of models with four layers or more.",),
        ),
    ),
)

KIND = Placeholder("kind", {"separators": "any separator", "words": "words of equal weight"})
NO_OP = Study(
    name="no-op",
    title="Separators or words cut off",
    about=(
        "All attention to separators is cut off in every layer and head, the other weights of a row "
        "renormalised; or that to words, drawn at random until they weigh as much. Read is the first part of "
        f"at most 24 documents whose words weigh as much as their separators. {PAIRED}"
    ),
    source=f"Ours, for the no-op argument of Clark et al. 2019, section 3.2, and of {HYPOTHESIS}, phase two",
    quantities=(
        share(
            name="{kind}.weight",
            title="Attention to {kind}, words behind masks",
            definition="Share of attention that goes to {kind}, mean over heads, layers and queries.",
            placeholders=(KIND,),
        ),
        nats(
            name="{kind}.loss",
            title="Rise of the loss without attention to {kind}",
            definition="The masked-LM loss without attention to {kind}, minus that of the model as it is.",
            reference="0 for no effect",
            placeholders=(KIND,),
        ),
        nats(
            name="lead",
            title="Rise without separators minus half of that without words",
            definition=(
                "Below 0 where losing the separators costs less than half of what losing words of equal weight does."
            ),
            reference="0",
        ),
    ),
)

DROP = nats(
    name="drop.distance.{start}",
    title="Drop at a distance of {start} tokens",
    definition=(
        "Mean drop by hiding a token at this distance from the hidden word; 17 stands for 17 to 32, 33 for 33 to "
        "64 and 65 for all beyond."
    ),
    reference="0 for a token that is of no use",
    caveats=("Pools the hidden words. A distance at which no token was hidden has no number.",),
    placeholders=(Placeholder.any("start", r"\d+"),),
)
OCCLUSION = Study(
    name="occlusion",
    title="Hidden words, with one other token hidden too",
    about=(
        "A word is hidden behind a mask, then one other token as well; what the second mask costs is the "
        "other token's drop: log p(word) with the word alone hidden minus log p(word) with both hidden. Read "
        "is the first part of at most 32 documents, two words each; intervals resample documents. A part is "
        "a stretch of text between two special tokens or punctuation marks."
    ),
    source=f"Ours, for phase three of {HYPOTHESIS}",
    quantities=(
        DROP,
        nats(
            name="same",
            title="Drop by tokens of the same part",
            definition=(
                "Mean drop by the token of the hidden word's part, over pairs of tokens as far before as "
                "after the word of which one alone is of its part."
            ),
            reference="other: the token of the pair that is of another part",
        ),
        nats(
            name="other",
            title="Drop by tokens of another part, as near",
            definition="Mean drop by the other token of the same pairs.",
            reference="same",
        ),
        nats(
            name="span.gain",
            title="Use of tokens of the same part minus that of others as near",
            definition="The mean difference of both drops, over the pairs.",
            reference="0 where the part does not matter",
        ),
        correlation(
            name="slope",
            title="Correlation of a token's use for a hidden word with its distance",
            definition=(
                "Spearman's correlation of drop and distance of a word's other tokens, mean over words and documents."
            ),
            reference="0; below it, nearer tokens are of more use",
        ),
        nats(
            name="logprob",
            title="Log-probability of the hidden word",
            range="0 and less",
            definition="Mean of log p(word) with the word alone hidden.",
        ),
    ),
)
