"""The records of numbers from changed inputs: how masks, segment ids and single tokens change maps and losses."""

from dataclasses import replace

from generator.measures import COLUMN
from generator.numbers.quantity import Placeholder, Quantity, Study, correlation, nats, share

PAIRED = "Numbers are means over documents, each compared with its own unchanged text; intervals resample documents."
SAMPLE = f"The first part of at most 24 documents is read. {PAIRED}"
HYPOTHESIS = '"A Hypothesis about Learning Curve of BERT" (2021)'
OUTSIDE = "Only with a masked-LM head."

CHANGE = Placeholder(
    "change",
    {
        "masks.15": "15 % of the words masked",
        "masks.40": "40 % of the words masked",
        "segments.zero": "all segment ids 0",
        "segments.swapped": "segment ids swapped",
    },
)
BASE_LOSS = nats(
    name="base.loss",
    title="Masked-LM loss with 15 % of the words masked",
    range="0 and more",
    definition="Mean negative log-likelihood of the masked words, 15 % of all.",
    caveats=(OUTSIDE,),
)
MANIPULATIONS = Study(
    name="manipulations",
    title="Masks and segment ids",
    about=(
        "The same texts are read with other segment ids, or with some words masked, and compared with the texts as "
        f"they are. All tokens of the text but periods and commas count as words. {SAMPLE}"
    ),
    source="Ours; Feinberg 2019 asks whether segment embeddings are redundant and what the mask token does",
    takes="the model itself, which is given changed inputs",
    finds="a model with a mask token or segment embeddings",
    quantities=(
        nats(
            name="{change}.js",
            title="Change of maps with {change}",
            range="0 to ln 2",
            definition=(
                "Mean Jensen-Shannon divergence between the rows of a head's map on the text as it is and with "
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
            title="{column}: change with {change}",
            unit="as the measure",
            definition="The measure with {change} minus that of the unchanged texts, mean over heads.",
            reference="0 for no change",
            caveats=("Segments are those of the unchanged text, whatever the model is told.",),
            of=("model", "layer"),
            placeholders=(CHANGE, COLUMN),
        ),
        replace(BASE_LOSS, where="a masked-LM head"),
        nats(
            name="{change}.loss",
            where="a masked-LM head",
            title="Rise of the masked-LM loss with {change}",
            definition="The loss on the same words with {change}, minus the loss with those words alone masked.",
            reference="0 for no change",
            caveats=(OUTSIDE,),
            placeholders=(
                Placeholder("change", {name: words for name, words in CHANGE.values.items() if name != "masks.15"}),
            ),
        ),
    ),
)

TOKEN = Placeholder("token", {"begin": "[CLS]", "separator": "the last [SEP]"})
BEGIN = Study(
    name="begin",
    title="[CLS], cut off or swapped",
    about=(
        "In the lowest third of the layers, at least two, the [CLS] of each text is changed: no query attends "
        "to it any more (cut), or its values are those of another text (swap). The same is done to the last "
        f"[SEP]. {SAMPLE}"
    ),
    source=f"Ours, for phase one of {HYPOTHESIS}",
    takes="a masked-LM head",
    finds="inputs with [CLS] and [SEP], and a model of two layers or more",
    quantities=(
        BASE_LOSS,
        nats(
            name="cut.{token}.loss",
            title="Rise of the loss without attention to {token} in the lower layers",
            definition=(
                "The masked-LM loss when no query of the lower layers attends to {token} and its other weights are "
                "scaled up to sum to one, minus that of the model as it is."
            ),
            reference="0 for no effect",
            placeholders=(TOKEN,),
        ),
        nats(
            name="swap.{token}.loss",
            where="a model with two layers or more",
            title="Rise of the loss when {token} has the values of another text in the lower layers",
            definition=(
                "The masked-LM loss when the value vectors of {token} in the lower layers are those of another text, "
                "minus that of the model as it is."
            ),
            reference="0: the token carries nothing of its text",
            placeholders=(TOKEN,),
        ),
        nats(
            name="swap.lead",
            where="a model with two layers or more",
            title="Rise of the loss when [CLS] is swapped minus the rise when [SEP] is",
            definition="How much more the loss rises with another text's [CLS] than with its last [SEP].",
            reference="0 where both carry as much",
        ),
        correlation(
            name="breadth.next",
            where="a model with four layers or more",
            title="Breadth of [CLS] and attention to it one layer later",
            definition=(
                "Spearman's correlation over layers, the last left out, between the entropy of the row of [CLS] "
                "divided by ln n and the attention that the next layer gives to it; both are means over heads and "
                "documents with nothing masked."
            ),
            reference="0 where the two have nothing to do with each other",
            caveats=("Only for models of four layers or more.",),
        ),
    ),
)

KIND = Placeholder("kind", {"separators": "any [SEP]", "words": "words of equal weight"})
NO_OP = Study(
    name="no-op",
    title="[SEP] or words cut off",
    about=(
        "In every layer and head all attention to [SEP] is cut off, and the other weights of a row are scaled up "
        "to sum to one; then the same is done to words instead, drawn at random until they have as much weight. The "
        "first part of at most 24 documents is read; those whose words have less weight than their [SEP] are left out. "
        f"{PAIRED}"
    ),
    source=f"Ours, for the no-op argument of Clark et al. 2019, section 3.2, and of {HYPOTHESIS}, phase two",
    takes="a masked-LM head",
    finds="[SEP] that gets no more attention than all words",
    quantities=(
        share(
            name="{kind}.weight",
            title="Attention to {kind}, with words masked",
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
            title="Rise of the loss without [SEP] minus half of the rise without words",
            definition=("Below 0 where losing [SEP] costs less than half of what losing words of equal weight costs."),
            reference="0",
        ),
    ),
)

DROP = nats(
    name="drop.distance.{start}",
    title="Drop when a token {start} tokens away is hidden",
    definition=(
        "Mean drop when a token at this distance from the hidden word is hidden too; 17 stands for 17 to 32, 33 for "
        "33 to 64, and 65 for everything beyond."
    ),
    reference="0 for a token that is of no use",
    caveats=("All hidden words are pooled. A distance at which no token was hidden has no number.",),
    placeholders=(Placeholder.any("start", r"\d+"),),
)
OCCLUSION = Study(
    name="occlusion",
    title="Hidden words, with one other token hidden too",
    about=(
        "A word is masked, then one other token as well. How much less likely the second mask makes the word is the "
        "other token's drop: log p(word) with the word alone masked minus log p(word) with both masked. The first "
        "part of at most 32 documents is read, with two words each; intervals resample documents. A part of a "
        "sentence is a stretch of text between two special tokens or punctuation marks."
    ),
    source=f"Ours, for phase three of {HYPOTHESIS}",
    takes="a masked-LM head",
    quantities=(
        DROP,
        nats(
            name="same",
            title="Drop when a token of the same part is hidden",
            definition=(
                "Two tokens lie equally far before and after the word, and only one of them is in the same part of the "
                "sentence; this is the mean drop when that one is hidden, over such pairs."
            ),
            reference="other: the token of the pair that is in another part",
        ),
        nats(
            name="other",
            title="Drop when a token of another part, as near, is hidden",
            definition="Mean drop when the other token of the same pairs is hidden.",
            reference="same",
        ),
        nats(
            name="span.gain",
            title="Drop from a token of the same part minus that from one as near in another",
            definition="The mean difference of the two drops, over the pairs.",
            reference="0 where the part does not matter",
        ),
        correlation(
            name="slope",
            title="Correlation of a token's drop with its distance from the hidden word",
            definition=(
                "Spearman's correlation of drop and distance over the other tokens of a text, mean over words and "
                "documents."
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
STUDIES = (MANIPULATIONS, BEGIN, NO_OP, OCCLUSION)
