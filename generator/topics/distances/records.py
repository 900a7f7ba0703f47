"""The records of the numbers about distances between heads."""

from generator.numbers.quantity import Placeholder, Quantity, Study, columns, difference, nats, ratio, share

HALF = 0.5
"""A head has a double if another is nearer to it than this part of the mean distance of two heads; a choice."""
KEPT = "The interval is a jackknife over documents; the labels stay as they are."
AXIS = Placeholder("axis", {"x": "longer", "y": "shorter"})
SIDE = Placeholder("side", {"within": "one layer", "between": "different layers"})
LABEL = Placeholder("label", {"layer": "layer", "behaviour": "behaviour, where there is one"})
OTHER = Placeholder("other", {"random": "random heads of the same covariance", "twin": "heads of untrained twins"})
EXCESS = Placeholder("excess", {"excess": "random heads", "twin.excess": "untrained twins"})
LANDSCAPE = Study(
    name="landscape",
    title="Where heads lie relative to each other",
    about=(
        "The distance of two heads is the Jensen-Shannon divergence of their maps, the mean over documents "
        "of the mean over rows; of a document in more than six inputs, six that are drawn are compared. Heads are "
        "placed in the plane by it, put into clusters, and compared within and between layers. Intervals resample "
        "documents, which n counts; of more than 100 documents 100 groups are resampled."
    ),
    source="Clark et al. 2019, section 6, draw the map and give no statistic; the statistics are ours",
    finds="a model of two heads or more",
    quantities=(
        nats(
            name="{axis}",
            title="Place on the map, {axis} axis",
            definition="The head's place along the {axis} axis of the map, by metric multidimensional scaling.",
            caveats=("Only distances mean something, not the axes.",),
            of=("head",),
            placeholders=(AXIS,),
        ),
        Quantity(
            name="cluster",
            title="Cluster",
            unit="number",
            range="1 and up",
            definition="The head's cluster, numbered in the order of the heads, by average linkage.",
            of=("head",),
        ),
        nats(
            name="{side}",
            title="Divergence of heads of {side}",
            range="0 to ln 2",
            definition="Mean Jensen-Shannon divergence of two heads of {side}.",
            reference="0 to ln 2 = 0.69",
            placeholders=(SIDE,),
        ),
        ratio(
            name="ratio",
            title="Divergence within layers as a ratio to that between layers",
            definition="Mean divergence of heads of one layer divided by that of heads of different layers.",
            reference="1: layers make no difference",
        ),
        share(
            name="p",
            title="Shuffled layers whose ratio is as small",
            definition=(
                "The heads' layers are shuffled 1,000 times. This is the share of these orders and the true one in "
                "which the ratio is no larger than in the true one."
            ),
            reference="0.05 by convention",
        ),
        Quantity(
            name="silhouette.{label}",
            title="Silhouette by {label}",
            unit="silhouette",
            range="-1 to 1",
            definition="Heads are grouped by {label}. This is how much nearer they are to their own group than to the "
            "nearest other one: the mean silhouette coefficient.",
            reference="0: no grouping",
            source="Rousseeuw 1987",
            caveats=(KEPT,),
            placeholders=(LABEL,),
        ),
        Quantity(
            name="clusters",
            title="Clusters with the best silhouette, of 2 to 12",
            unit="clusters",
            range="1 to 12",
            definition="The number of clusters with the largest silhouette; 1 where no division has one above 0.",
        ),
        Quantity(
            name="stress",
            title="Stress of the picture",
            unit="stress-1",
            range="0 to 1",
            definition="Kruskal's stress-1: how far distances on the map are from the divergences.",
            reference="0: distances as they are",
        ),
        nats(
            name="rows.error",
            where="inputs of which only some rows are compared",
            title="Error of the drawn rows",
            definition=(
                "Standard error that drawing rows adds to the mean divergence of two heads, the largest of all pairs. "
                "Of inputs longer than 362 tokens only a sample of rows is compared: as many as hold 131,072 weights "
                "of a head, and at least 64. Left out where all rows are compared."
            ),
        ),
        share(
            name="doubles",
            title="Heads with a double",
            definition=(
                "Share of heads whose nearest other head is nearer than half of the mean divergence of two heads."
            ),
            reference="random heads, and heads of untrained twins",
        ),
        share(
            name="doubles.{other}",
            title="{other} with a double",
            definition="The same share among {other}, mean over sets of them.",
            reference="the model's own heads",
            caveats=(
                (
                    "The range of random heads is that of the middle 95 % of 200 sets; five twins read at most "
                    "24 documents."
                ),
            ),
            placeholders=(OTHER,),
            drawn="random heads, or untrained twins",
        ),
        difference(
            name="doubles.{excess}",
            title="Heads with a double, minus those among {excess}",
            definition="Share of heads with a double minus that among {excess}.",
            reference="0: no more than among these",
            placeholders=(EXCESS,),
            drawn="random heads, or untrained twins",
        ),
    ),
    columns=columns(
        "divergence",
        Quantity(
            name="documents",
            title="Documents of a row",
            unit="count",
            range="1 and more",
            definition=(
                "How many documents the row is the mean of: one, or of more than 100 documents those of a group, which "
                "is drawn."
            ),
        ),
        Quantity(
            name="tokens",
            title="Length of a document",
            unit="tokens",
            range="1 and more",
            definition="Tokens of an input, special tokens included, mean over inputs and documents.",
        ),
        nats(
            name="divergence",
            title="Distance of every two heads in a document",
            range="0 to ln 2",
            definition="Mean over rows and documents of the Jensen-Shannon divergence of two heads' rows.",
            reference="0 for heads that attend alike, ln 2 for heads that share no token",
            caveats=("A list: the pairs stand in the order of numpy.triu_indices(heads, k=1).",),
            of=("head",),
        ),
    ),
)
STUDIES = (LANDSCAPE,)
