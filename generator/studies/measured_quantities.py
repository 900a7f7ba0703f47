"""The records of columns of the measure tables: numbers of heads and layers, and what they are compared with."""

from generator.numbers.quantity import Quantity, Study, columns, count

MEASURED = Study(
    name="measures",
    title="Measures of documents, heads and layers",
    about=(
        "Each measure has a page of its own and one or more columns in the table documents. The tables heads and "
        "layers have its means over documents, which the interval resamples."
    ),
    source="Each measure names its own",
    quantities=(),
    columns=(
        *columns(
            "documents",
            Quantity(
                name="sink.token",
                title="Token that receives most",
                unit="number",
                range="0 and more",
                definition="The vocabulary id of the token in a document that receives most attention from a head.",
                of=("head",),
            ),
        ),
        *columns(
            "uniform",
            Quantity(
                name="tokens",
                title="Length of a document",
                unit="tokens",
                range="1 and more",
                definition="Tokens of its inputs, special tokens included, mean over inputs.",
            ),
        ),
        *columns(
            "heads",
            Quantity(
                name="value",
                title="Mean of a measure",
                unit="as the measure",
                definition="Mean over the documents that define the measure for the head.",
                reference="the column uniform",
                of=("head",),
            ),
            count(
                name="n",
                title="Documents",
                definition="Documents that define the measure.",
                of=("head",),
            ),
            Quantity(
                name="uniform",
                title="Uniform attention",
                unit="as the measure",
                definition="What the measure would be on the same documents if every token attended to all alike.",
            ),
        ),
        *columns(
            "layers",
            Quantity(
                name="value",
                title="Mean of a measure over a layer",
                unit="as the measure",
                definition="Mean over documents of the plain mean over the layer's heads.",
                caveats=(
                    "Where a document defines the measure only for some heads, its number for the layer is their mean.",
                ),
                of=("layer",),
            ),
            count(
                name="n",
                title="Documents",
                definition="Documents that define the measure.",
                of=("layer",),
            ),
        ),
    ),
)
