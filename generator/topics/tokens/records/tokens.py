"""The records of numbers about tokens: vocabulary, frequency, the largest weights of rows, shared sinks, and the roles
of frequent types.
"""

from generator.measures.norms import PROJECTIONS
from generator.numbers.quantity import Placeholder, Quantity, Study, columns, correlation, count, nats, ratio, share

MOST_ROWS = 0.9
"""Share of maxima on one neighbour that makes a head positional."""
CONFIDENT = 0.8
"""The mean of the largest weights that a positional head must exceed."""
MODEL = Study(
    name="model",
    title="The model before it reads anything",
    about="What the tokenizer and the input embedding hold. These are counts, so they have no interval, and n is 1.",
    source="Read off the checkpoint",
    takes="the model itself",
    quantities=(
        count(
            name="vocabulary",
            title="Size of the vocabulary",
            definition="Pieces that the tokenizer knows, special tokens included.",
        ),
        count(
            name="embedding.types",
            where="models with a table of pieces",
            title="Rows of the input embedding",
            definition="How many token types have a vector of their own; a single occurrence has none.",
            caveats=("Models of characters have no table of pieces, and so no such number.",),
        ),
        count(
            name="embedding.width",
            where="models with a table of pieces",
            title="Parameters of a token type",
            definition="Parameters in one row of the input embedding.",
            caveats=("Models of characters have no table of pieces, and so no such number.",),
        ),
    ),
)

WHAT = Placeholder(
    "what", {"norm": "the norm of its transformed value", "weight": "the weight that an occurrence receives"}
)
NORMS = Study(
    name="norms",
    title="Frequency, norm and weight",
    about=(
        "Spearman's correlations of a token type's rank by frequency, 1 the most frequent, with the norm of "
        "its transformed value and with the attention it receives. A type is an entry of the vocabulary, "
        "special tokens included; its frequency is its count in the text that is read. Intervals are a "
        "jackknife over documents, which n counts."
    ),
    source="Kobayashi et al. 2020, who rank types by their counts in BERT's own training text",
    takes=PROJECTIONS,
    finds="a model whose value and output projections can be read",
    quantities=(
        correlation(
            name="frequency_{what}.spearman",
            title="Frequency rank and {what}, by layer",
            definition=(
                "Correlation over types, each counted once, of the rank by frequency with {what}, mean over "
                "occurrences and heads; above 0 where it is small for frequent types."
            ),
            reference="0 where frequency does not matter",
            caveats=("Numbers of texts of different size cannot be compared, because rare types share their ranks.",),
            of=("layer",),
            placeholders=(WHAT,),
        ),
        correlation(
            name="frequency_{what}.spearman.mean",
            title="Frequency rank and {what}, mean over layers",
            definition="The mean over layers of the correlation over types.",
            reference="0",
            placeholders=(WHAT,),
        ),
        correlation(
            name="frequency_{what}.tokens.spearman",
            title="Frequency rank and {what}, over tokens",
            definition=(
                "The same over tokens, as in the paper's released code: the mean over heads and layers is taken first, "
                "and every occurrence has the rank of its type, so that frequent types weigh most."
            ),
            reference="0",
            placeholders=(WHAT,),
        ),
    ),
)

NEXT_TO = Placeholder("neighbour", {"previous": "the token just before", "next": "the token just after"})
MAXIMA = Study(
    name="maxima",
    title="Where the largest weight of a row lies",
    about=(
        "Where in each row of a map the largest weight lies; of equal weights the first counts. The row of the last "
        "token is left out. Means over documents, which intervals resample."
    ),
    source="Voita et al. 2019, for whom a head is positional where 90 % of its maxima are at one relative position",
    finds="inputs of more than one token",
    quantities=(
        share(
            name="{neighbour}",
            title="Rows whose maximum is on {neighbour}",
            definition="Share of rows whose largest weight is on {neighbour}.",
            of=("head",),
            placeholders=(NEXT_TO,),
        ),
        share(
            name="offset.share",
            title="Rows whose maximum is at the commonest offset",
            definition="Share of rows whose largest weight is at the head's commonest offset.",
            caveats=("A largest share, chosen and reported on the same text; offsets up to eight are followed.",),
            of=("head",),
        ),
        Quantity(
            name="offset",
            title="Commonest offset of the maximum",
            unit="tokens",
            range="-8 to 8",
            definition="The offset, key minus query, at which most rows have their largest weight in the whole text.",
            of=("head",),
        ),
        share(
            name="confidence",
            title="Mean largest weight",
            definition="Mean over rows of the largest weight, the row of the last token left out.",
            reference="0.8, which the paper's positional heads exceed",
            of=("head",),
        ),
        count(
            name="positional",
            title="Positional heads",
            range="0 to the number of heads",
            definition=(
                "Heads with at least 0.9 of their maxima on the previous token, or as many on the next, and "
                "a mean largest weight above 0.8. The interval counts heads again in resampled documents."
            ),
        ),
        count(
            name="positional.text",
            title="Positional heads among tokens of the text",
            range="0 to the number of heads",
            definition="The same with tokens of the text alone, as queries and as keys.",
        ),
    ),
)

SINKS = Study(
    name="sinks",
    title="The token that collects a layer's attention",
    about=(
        "Which position of an input receives most attention from all heads of a layer together, and what stands "
        "there. Means over documents, which intervals resample."
    ),
    source="After Xiao et al. 2023, appendix H, who show maps of BERT for one sentence and print no number",
    quantities=(
        Quantity(
            name="shared",
            title="Attention to the shared sink",
            unit="share",
            range="1/n to 1",
            definition="Weight on the position that receives most, mean over the queries and heads of the layer.",
            reference="1/n, what uniform attention gives",
            caveats=("The position is chosen in every input, so that the number is never below one over its length.",),
            of=("layer",),
        ),
        share(
            name="separator",
            title="Inputs whose shared sink is [SEP]",
            definition="Share of inputs in which that position holds [SEP].",
            of=("layer",),
        ),
        share(
            name="begin",
            title="Inputs whose shared sink is [CLS]",
            definition="Share of inputs in which that position holds [CLS].",
            of=("layer",),
        ),
        share(
            name="layers",
            title="Layers with a sink",
            definition=(
                "Share of layers in which the position gets more than 0.3 of the attention; the cut-off is ours."
            ),
        ),
        share(
            name="layers.separator",
            title="Layers with a sink that is [SEP]",
            definition="Share of all layers that have a sink and where it is [SEP] in most inputs.",
        ),
    ),
)
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
SAMPLE = 50
"""How many occurrences entropies are computed for; a type that has fewer has no entropy."""


STUDIES = (MODEL, ROLES, TOKEN_TYPES, SINKS, MAXIMA, NORMS)
