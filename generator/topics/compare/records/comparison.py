"""The records of numbers that compare a model with another one, such as a copy of it that was trained further."""

from generator.measures import COLUMN
from generator.numbers.quantity import AT_ONCE, Maker, Placeholder, Quantity, Study, difference, nats, ratio, score
from generator.topics.frames.records import KIND

FAR = Placeholder("from", {"distance": "the other model", "random": "a random initialisation"})
FAR_EMBEDDINGS = Placeholder("from", {"": "the other model", "random.": "a random initialisation"})
OWN = "A is the model that is compared, B the model beside it."
NO_CHANGE = "0 for no change"
COMPARISON = Study(
    name="compare",
    title="A model beside another one",
    family="model",
    some_heads=True,
    about=(
        f"Both models read the same texts, head by head. {OWN} Where they have different shapes, or neither "
        "is a copy of the other, heads are paired by how alike their maps are. Intervals resample documents "
        "or, for relations and kinds of words, sentences."
    ),
    made=Maker.EXPERIMENT,
    source="Kovaleva et al. 2019, sections 4.3 and 4.4; distances of weights and twins are ours",
    command="fieldguide compare MODEL CHECKPOINT",
    quantities=(
        Quantity(
            name="cosine",
            where="a text, and models of one shape",
            title="Cosine of maps",
            unit="cosine",
            range="0 to 1",
            definition=(
                "Cosine of a head's maps in both models, mean over documents and, of layers and the model, over heads."
            ),
            reference="1 for maps that do not change",
            of=("model", "layer", "head"),
        ),
        Quantity(
            name="cosine.last.least",
            where="a text, and models of one shape with two layers or more",
            title="How much more the last layers change than every other",
            unit="cosine",
            range="-1 to 1",
            definition=(
                "The lowest cosine among the other layers minus the mean cosine of the last sixth of the layers, with "
                "an interval that allows for the choice among layers."
            ),
            reference="0; above it, the last layers change most",
            beyond=AT_ONCE,
        ),
        Quantity(
            name="{column}",
            where="a text, and models of one shape",
            title="{column}: change from A to B",
            unit="as the measure",
            definition="The measure in B minus that in A, paired by document.",
            reference=NO_CHANGE,
            of=("layer", "head"),
            placeholders=(COLUMN,),
        ),
        Quantity(
            name="base.{column}",
            where="a text, and models of one shape",
            title="{column}, in A",
            unit="as the measure",
            definition="The measure in A.",
            of=("layer", "head"),
            placeholders=(COLUMN,),
        ),
        Quantity(
            name="other.{column}",
            where="a text, and models of one shape",
            title="{column}, in B",
            unit="as the measure",
            definition="The measure in B, mean over all heads.",
            placeholders=(COLUMN,),
        ),
        score(
            name="score",
            where="a labelled task",
            title="Score of B on the task",
            range="-1 to 1",
            definition="Headline metric of B on the examples of a task whose labels it predicts.",
            reference="score.majority",
        ),
        score(
            name="score.majority",
            where="a labelled task",
            title="Score of the majority class",
            range="-1 to 1",
            definition="The same score for always answering with the commonest class.",
        ),
        score(
            name="score.lead",
            where="a labelled task",
            title="Score of B above the majority class",
            range="-2 to 2",
            definition="The score of B minus that of the majority class.",
            reference="0 for a model that learned nothing",
        ),
        Quantity(
            name="copy",
            title="Whether B is a copy of A",
            unit="0 or 1",
            range="0 to 1",
            definition=(
                "1 where B is a copy of A that may have been trained further: where the cosine of their weights "
                "is high."
            ),
        ),
        Quantity(
            name="weights.cosine",
            where="models whose matrices have the same names and shapes",
            title="Cosine of the weights",
            unit="cosine",
            range="-1 to 1",
            definition="Cosine of A's matrices of all layers, taken as one vector, with B's.",
            reference="near 1 for a copy, near 0 for a model trained from other random weights",
        ),
        ratio(
            name="weights.{from}",
            where="models of one shape",
            title="Distance of the weights to {from}",
            definition="Euclidean distance of A's parameters to those of {from}, divided by the length of A's.",
            formula="||B - A|| / ||A||",
            reference="weights.random, the distance to a random initialisation",
            of=("model", "layer"),
            placeholders=(FAR,),
        ),
        ratio(
            name="weights.{from}embeddings",
            where="models of one shape",
            title="Distance of the embeddings to {from}",
            definition="The same for the embeddings alone.",
            reference="weights.random.embeddings",
            placeholders=(FAR_EMBEDDINGS,),
        ),
        Quantity(
            name="twin.{axis}",
            where="a text, and models that are no copies of each other",
            title="{axis} of the twin",
            unit="number",
            range="1 and up",
            definition="The {axis} of the head of B that is paired with the head of A.",
            of=("head",),
            placeholders=(Placeholder("axis", {"layer": "layer", "head": "head"}),),
        ),
        nats(
            name="twin.divergence",
            where="a text, and models that are no copies of each other",
            title="Divergence from the twin",
            range="0 to ln 2",
            definition="Mean Jensen-Shannon divergence of the maps of a head and of its twin.",
            reference="twin.every",
            caveats=("Heads are paired on one half of the documents and compared on the other.",),
            of=("head",),
        ),
        nats(
            name="twin.matched",
            where="a text, and models that are no copies of each other",
            title="Divergence of twins",
            range="0 to ln 2",
            definition="The mean divergence over all pairs of a head and its twin.",
            reference="twin.every",
        ),
        nats(
            name="twin.every",
            where="a text, and models that are no copies of each other",
            title="Divergence of all pairs of heads",
            range="0 to ln 2",
            definition="The mean over all pairs of a head of A and a head of B: what a random pairing would give.",
        ),
        difference(
            name="relation.{relation}.{direction}",
            where="relations with enough words in a treebank",
            title="Change of accuracy for {relation}, {direction}",
            definition="Share of the relation's words whose head is found in B minus the share in A; n counts words.",
            reference=NO_CHANGE,
            of=("head",),
            placeholders=(
                Placeholder.any("relation", ".+"),
                Placeholder("direction", {direction: direction for direction in ("dep->head", "head<-dep")}),
            ),
        ),
        difference(
            name="{kind}.{score}",
            where="a treebank, and models of one shape",
            title="Change of attention to {kind}, {score}",
            definition="Attention to {kind} ({score}) in B minus that in A, paired by sentence; see study features.",
            reference=NO_CHANGE,
            of=("layer", "head"),
            placeholders=(
                KIND,
                Placeholder(
                    "score",
                    {"max": "the one that receives most", "mean": "all together", "begin_row": "from [CLS]"},
                ),
            ),
        ),
        difference(
            name="rise.highest",
            where="a treebank, and models of one shape",
            title="The highest rise of attention to a kind of words",
            definition=(
                "For nouns, verbs, pronouns, subjects, objects and negation: the change of attention to the one word "
                "of the kind that receives most, mean over all heads. This is the greatest of the six changes, with an "
                "interval that allows for the choice."
            ),
            reference=NO_CHANGE,
            beyond=AT_ONCE,
        ),
    ),
)
COMPARE = COMPARISON.of("").name
"""The beginning of the names of these studies; the other model's slug follows."""
STUDIES = (COMPARISON,)
