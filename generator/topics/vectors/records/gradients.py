"""The records of numbers about gradients of the masked-LM loss."""

from generator.numbers.quantity import Placeholder, Study, correlation, nats, ratio

KINDS = {
    "cls": "[CLS]",
    "sep": "[SEP]",
    "punctuation": "periods and commas",
    "other": "all other tokens",
}
KIND = Placeholder("kind", KINDS)
SPECIAL = Placeholder("kind", {name: words for name, words in KINDS.items() if name != "other"})
JAIN = "Jain and Wallace 2019, who correlate attention with the gradients of a classifier's output"
NO_ORDER = "0 where attention says nothing about what the loss depends on"
SAMPLE = "The first part of at most 24 documents is read."
GRADIENT = Study(
    name="gradient",
    title="Gradients of the masked-LM loss",
    about=(
        "15 % of the tokens of a text are hidden as in BERT's pre-training (80 % become the mask token, 10 % become "
        "random pieces, 10 % stay as they are), and the loss on them is differentiated with respect to every attention "
        "weight. At most six inputs of a document are read. Means over documents, which intervals resample. Only for "
        "checkpoints with a masked-LM head."
    ),
    source="Clark et al. 2019, section 3.2 and Figure 3, whose code is not released; the details are ours",
    takes="a masked-LM head",
    quantities=(
        nats(
            name="gradient.{kind}",
            title="Gradient of the loss on attention to {kind}",
            range="0 and more",
            definition="Mean of |dL/dA| over all weights whose key is one of {kind}.",
            formula="mean over i and j in class of |dL/dA[i, j]|",
            of=("head",),
            placeholders=(KIND,),
        ),
        nats(
            name="product.{kind}",
            title="Attention to {kind} times its gradient",
            definition="Mean over queries of the sum of A dL/dA over {kind}.",
            formula="(1/n) sum_i sum_{j in class} A[i, j] dL/dA[i, j]",
            reference="0 where the loss does not depend on it",
            of=("head",),
            placeholders=(KIND,),
        ),
        ratio(
            name="ratio.{kind}",
            title="Gradient on attention to {kind}, as a ratio to that on other tokens",
            definition="The mean gradient on {kind} divided by that on all other tokens, in the same documents.",
            reference="1: like the rest",
            of=("layer",),
            placeholders=(SPECIAL,),
        ),
        correlation(
            name="tau.cls",
            title="Weights of the row of [CLS] and their gradients",
            definition="Kendall's tau between the weights of the row of [CLS] and their |dL/dA|.",
            reference=NO_ORDER,
            source=JAIN,
            of=("model", "head"),
        ),
        correlation(
            name="tau.input",
            title="What hidden tokens attend to and what the loss depends on",
            definition=(
                "Kendall's tau between the mean attention that the hidden tokens give and |embedding . gradient| of "
                "the loss, attention held fixed, over the tokens of the text that are not hidden."
            ),
            reference=NO_ORDER,
            source=JAIN,
            caveats=(SAMPLE,),
            of=("model", "head"),
        ),
        correlation(
            name="tau.input.cls",
            title="What [CLS] attends to and what the loss depends on",
            definition="The same with the row of [CLS], from which a classifier would read.",
            reference=NO_ORDER,
            source=JAIN,
            caveats=(SAMPLE,),
            of=("model", "head"),
        ),
    ),
)
STUDIES = (GRADIENT,)
