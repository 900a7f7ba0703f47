"""The records of columns of the token tables: what frequent types do in each layer, and what each type receives."""

from generator.numbers.quantity import Quantity, Study, columns, count, nats, ratio, share

FEW = "Undefined for a type with fewer than 50 occurrences."
SAMPLED = "50 occurrences of every type are compared, because a smaller sample looks more constant than it is."
ROLES = Study(
    name="roles",
    title="Roles of frequent tokens",
    about=(
        "What frequent token types receive and give in each layer, and how constant their neighbours and partners are: "
        "the hypothesis asks whether [CLS], [SEP], periods and commas are outsiders that find a role. Numbers are "
        "means over the heads of a layer and over occurrences."
    ),
    source="A Hypothesis about Learning Curve of BERT (2021), which gives no definitions; these are ours",
    quantities=(),
    columns=columns(
        "roles",
        count(name="rank", title="Rank by frequency", range="1 and more", definition="1 is the most frequent type."),
        count(
            name="count",
            title="Occurrences",
            range="1 and more",
            definition="How often the type stands in the inputs that were read, special tokens included.",
        ),
        nats(
            name="next_entropy",
            title="Entropy of the next token",
            range="0 and more",
            definition="Entropy of the types that stand right after the type, as 50 occurrences show it on average.",
            reference="0 where it is always the same type",
            caveats=(SAMPLED, FEW),
        ),
        nats(
            name="previous_entropy",
            title="Entropy of the previous token",
            range="0 and more",
            definition="Entropy of the types that stand right before the type, as 50 occurrences show it on average.",
            reference="0 where it is always the same type",
            caveats=(SAMPLED, FEW),
        ),
        share(
            name="position_deviation",
            title="Spread of its places",
            definition="Standard deviation of the relative place of its occurrences, 0 the first token and 1 the last.",
            reference="0 where it always stands at one place; 0.29 for places drawn evenly",
        ),
        Quantity(
            name="end_deviation",
            title="Spread of its distance to the next [SEP]",
            unit="tokens",
            range="0 and more",
            definition="Standard deviation, in tokens, of the distance to the next separator.",
            reference="0 for the separator itself",
        ),
        ratio(
            name="received",
            title="Attention received",
            definition=(
                "What an occurrence receives from all queries of its input, itself included, as a multiple of what "
                "uniform attention gives."
            ),
            formula="sum_i A[i, j]",
            reference="1",
            of=("layer",),
        ),
        share(
            name="breadth",
            title="Breadth of its rows",
            definition="Entropy of an occurrence's row divided by that of uniform attention, mean over heads.",
            formula="-sum_j A[i, j] ln A[i, j] / ln n",
            reference="1",
            of=("layer",),
        ),
        nats(
            name="attended_by_entropy",
            title="Entropy of the types that attend to it",
            range="0 and more",
            definition="Entropy, over the types of queries, of the attention that its occurrences receive.",
            caveats=(SAMPLED, FEW),
            of=("layer",),
        ),
        nats(
            name="attends_to_entropy",
            title="Entropy of the types that it attends to",
            range="0 and more",
            definition="Entropy, over the types of keys, of the attention that its occurrences give.",
            caveats=(SAMPLED, FEW),
            of=("layer",),
        ),
    ),
)
TOKEN_TYPES = Study(
    name="token types",
    title="What each token type receives",
    about=(
        "Every piece of the vocabulary that stands ten times or more in the text: what it receives, and how well a "
        "masked language model predicts it. The learning curve compares this table between checkpoints."
    ),
    source="Ours, after A Hypothesis about Learning Curve of BERT (2021)",
    quantities=(),
    columns=columns(
        "types",
        count(
            name="count", title="Occurrences", range="10 and more", definition="How often the type stands in the text."
        ),
        ratio(
            name="received",
            title="Attention received",
            definition=(
                "What an occurrence receives from all queries of its input, itself included: a mean over occurrences, "
                "heads and layers, as a multiple of what uniform attention gives."
            ),
            reference="1",
        ),
        nats(
            name="loss",
            title="Masked-LM loss",
            range="0 and more",
            definition=(
                "Mean loss of at most eight of its occurrences, each replaced by the mask token; at most six inputs of "
                "a document are read."
            ),
            caveats=("Only for checkpoints with a masked-LM head.",),
        ),
    ),
)
