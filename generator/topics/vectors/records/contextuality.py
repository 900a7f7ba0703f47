"""The records of numbers about how much a word's vector depends on its context."""

from generator.numbers.quantity import Placeholder, Quantity, Study, difference, share

OF_WORDS = {
    "self_similarity": "Self-similarity",
    "intra_sentence": "Intra-sentence similarity",
    "explained_variance": "Maximum explained variance",
    "explained_variance.centred": "Explained variance about the mean",
}
NUMBER = Placeholder("number", {**OF_WORDS, "explained_variance.pca": "Explained variance of the first component"})
VARIANCE = Placeholder("number", {name: words for name, words in NUMBER.values.items() if "variance" in name})
LAYER_0 = "Layer 0 is what the first layer reads."
CONTEXTUALITY = Study(
    name="contextuality",
    title="How much context changes a vector",
    about=(
        "Vectors of the same word in different contexts, layer by layer. A word type is used where it occurs "
        "at least five times and in at least five documents; of more than 20 occurrences, or 500 types, a "
        "sample is taken. Vectors of unrelated words point in similar directions too, so every number stands beside a "
        "baseline, and once with that baseline subtracted. Intervals resample types or, for intra-sentence "
        "similarity, documents; n counts these."
    ),
    source=(
        "Ethayarajh 2019; the code that was released with it computes other explained variances than the paper's "
        "formula"
    ),
    takes="the model's vectors",
    finds="words that occur in enough contexts",
    quantities=(
        Quantity(
            name="self_similarity",
            title=OF_WORDS["self_similarity"],
            unit="cosine",
            range="-1 to 1",
            definition="Mean cosine of the vectors of two occurrences of the same word type, mean over types.",
            reference="self_similarity.baseline",
            caveats=(LAYER_0,),
            of=("layer",),
        ),
        Quantity(
            name="intra_sentence",
            title=OF_WORDS["intra_sentence"],
            unit="cosine",
            range="-1 to 1",
            definition="Mean cosine of a piece's vector and the mean vector of its sentence, mean over sentences.",
            reference="intra_sentence.baseline",
            caveats=(LAYER_0,),
            of=("layer",),
        ),
        Quantity(
            name="explained_variance",
            title=OF_WORDS["explained_variance"],
            unit="share",
            range="1/m to 1 for m occurrences",
            definition=(
                "The squared first singular value of a type's vectors as they are, divided by the sum of all squared "
                "singular values: the paper's formula. Mean over types."
            ),
            formula="sigma_1² / sum_i sigma_i²",
            reference="explained_variance.baseline",
            caveats=(LAYER_0,),
            of=("layer",),
        ),
        share(
            name="explained_variance.centred",
            title=OF_WORDS["explained_variance.centred"],
            definition=(
                "Of the variance of a type's vectors about their mean, the share along the first singular "
                "vector of the vectors as they are: what the first version of the released code computes. "
                "Mean over types."
            ),
            reference="explained_variance.centred.baseline",
            caveats=(LAYER_0,),
            of=("layer",),
        ),
        share(
            name="explained_variance.pca",
            title=NUMBER.values["explained_variance.pca"],
            definition=(
                "Of the variance of a type's vectors about their mean, the share along its own first "
                "principal component: what later versions of the code compute. Mean over types."
            ),
            reference="explained_variance.centred.baseline",
            caveats=(LAYER_0,),
            of=("layer",),
        ),
        Quantity(
            name="{number}.baseline",
            title="{number} of random words",
            unit="as the number",
            range="-1 to 1",
            definition=(
                "For both similarities, the mean cosine of two random words. For explained variance by the formula, "
                "the same formula on as many occurrences, drawn from all types. For explained variance about the mean, "
                "that of all random words together."
            ),
            of=("layer",),
            placeholders=(Placeholder("number", OF_WORDS),),
        ),
        Quantity(
            name="{number}.adjusted",
            title="{number} minus that of random words",
            unit="as the number",
            range="-2 to 2",
            definition="The number minus its baseline.",
            reference="0: no more than random words",
            of=("layer",),
            placeholders=(NUMBER,),
        ),
        difference(
            name="{number}.adjusted.mean",
            title="{number} minus that of random words, mean over layers",
            definition="The mean of the adjusted number over layers 1 and up.",
            reference="0.05, which the paper prints as the most that one vector explains",
            placeholders=(VARIANCE,),
        ),
        Quantity(
            name="self_similarity.adjusted.rise",
            where="a model with two layers or more",
            title="Rise of self-similarity from lower to upper layers",
            unit="cosine",
            range="-4 to 4",
            definition=(
                "Self-similarity minus that of random words, mean over the upper third of layers minus the "
                "mean over the lowest."
            ),
            reference="0; below it, upper layers depend more on context",
            caveats=("Left out where the thirds share a layer.",),
        ),
    ),
)
STUDIES = (CONTEXTUALITY,)
