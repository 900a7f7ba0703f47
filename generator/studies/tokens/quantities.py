"""The records of numbers about tokens: vocabulary, frequency, the largest weights of rows, and shared sinks."""

from generator.numbers.quantity import Placeholder, Quantity, Study, correlation, count, share

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
    takes="the model's value and output projections",
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
