"""The records of numbers that pages compute from stored tables, by topic; no table holds them."""

from generator.numbers.quantity import Quantity, Study, count, difference, nats, ratio, share
from generator.topics.relations.records import EDGE

TRIED = Study(
    name="relations tried",
    title="What every head finds, on all sentences",
    about=(
        "How often each head, in each direction, and the best fixed offset find a relation of 20 words or more, on all "
        "sentences of a treebank. Computed from the counts in the tables relations and relation_baselines; intervals "
        "are Wilson's."
    ),
    source="After Clark et al. 2019, section 4.2; nothing is held out, so the best of many heads looks too good",
    quantities=(
        share(
            name="accuracy",
            title="Words that a head finds",
            definition="Share of the words of a relation whose wanted word gets the head's largest weight.",
            formula="correct / n",
            reference="baseline",
            of=("head",),
        ),
        share(
            name="baseline",
            title="Words that the best fixed offset finds",
            definition=f"Share of the words of a relation whose head the offset picks that is right most often. {EDGE}",
            formula="correct / n",
        ),
        difference(
            name="gain",
            title="Lead over the best fixed offset",
            definition="Accuracy of the head minus that of the offset.",
            formula="accuracy - baseline",
            reference="0; the tables do not say which words each finds, so the interval is as wide as both together",
            of=("head",),
        ),
    ),
)
OVER_LAYERS = Study(
    name="roles over layers",
    title="Frequent tokens over all layers",
    about="Plain means over layers of the columns of the table roles; they come from sums and have no interval.",
    source="A Hypothesis about Learning Curve of BERT (2021), which gives no definitions; these are ours",
    quantities=(
        ratio(
            name="received",
            title="Attention received, over all layers",
            definition="Mean over layers of what an occurrence receives, as a multiple of uniform attention.",
            reference="1",
        ),
        share(
            name="breadth",
            title="Breadth of its rows, over all layers",
            definition="Mean over layers of the entropy of its rows, divided by that of uniform attention.",
            reference="1",
        ),
        nats(
            name="attended_by_entropy",
            title="Entropy of who attends to it, over all layers",
            range="0 and more",
            definition="Mean over layers of the entropy of the types that attend to it.",
        ),
        nats(
            name="attends_to_entropy",
            title="Entropy of what it attends to, over all layers",
            range="0 and more",
            definition="Mean over layers of the entropy of the types that it attends to.",
        ),
        Quantity(
            name="end_deviation",
            title="Spread of its distance to the next [SEP]",
            unit="tokens",
            range="0 and more",
            definition="Standard deviation of the distance to the next separator, which does not depend on the layer.",
            reference="0 for the separator itself",
        ),
        nats(
            name="beside",
            title="Entropy of its neighbours in the text",
            range="0 and more",
            definition="Mean of the entropies of the tokens before and after it, which do not depend on the layer.",
            reference="0 where the same types always stand beside it",
        ),
    ),
)
OF_HEADS = Study(
    name="of heads",
    title="What pages say of single heads",
    about=(
        "Computed from the tables documents, uniform, heads, divergence and antecedents, for the page of a head or a "
        "list of heads."
    ),
    source="Ours",
    quantities=(
        share(
            name="segment.excess",
            title="Attention within the segment beyond what its distances alone give",
            range="-1 to 1",
            definition=(
                "Attention within the segment minus that of a head with the same profile of offsets that looks at all "
                "pairs of tokens of one distance alike. Intervals resample documents."
            ),
            formula="attention.same_segment - sum_k offset.k * share of pairs at k within one segment",
            reference="0",
        ),
        share(
            name="breadth",
            title="Entropy as a share of that of uniform attention",
            definition=(
                "Mean entropy of the rows divided by that of uniform attention on the same text; a document that is "
                "resampled brings both."
            ),
            formula="entropy.all / its uniform value",
            reference="1 for uniform attention; a head counts as broad above 0.8",
            of=("head",),
        ),
        share(
            name="next_door",
            title="Attention to the previous and the next token",
            definition="Attention to the previous and to the next token, added; the interval is as wide as both.",
            formula="attention.previous + attention.next",
            of=("head",),
        ),
        count(
            name="sink.documents",
            title="Documents in which the commonest sink is the sink",
            range="1 and more",
            definition="The number of documents in which the head's sink is the token that most often is its sink.",
            reference="the number of documents",
            of=("head",),
        ),
        Quantity(
            name="rank",
            title="Rank among the heads",
            unit="number",
            range="1 to the number of heads",
            definition="The place of a head in the order of one measure, 1 for the highest value.",
            caveats=("Heads with the same value share the better rank; a head without a value has none.",),
            of=("head",),
        ),
        nats(
            name="distance.divergence",
            title="Distance to another head, by divergence",
            range="0 to ln 2",
            definition="The Jensen-Shannon divergence of the rows of two heads, mean over documents.",
            reference="0 for heads that attend alike",
            of=("head",),
        ),
        Quantity(
            name="distance.measures",
            title="Distance to another head, by measures",
            unit="number",
            range="0 and more",
            definition="Euclidean distance of two heads over all measures, each scaled to mean 0 and deviation 1.",
            reference="0 for heads that are alike in every measure",
            caveats=("Shown only for models whose divergences were not measured.",),
            of=("head",),
        ),
        difference(
            name="antecedents.lead",
            title="Lead over the best simple rule",
            definition="Antecedents that the head finds minus those that the best simple rule finds, as shares.",
            formula="accuracy of the head - accuracy of the rule",
            reference="0; the tables do not say which mentions each finds, so the interval is as wide as both together",
            of=("head",),
        ),
        count(
            name="commonest",
            title="Heads by their commonest pattern",
            range="0 and more",
            definition="How many heads have more maps of this pattern than of any other.",
        ),
    ),
)
OF_CURVES = Study(
    name="of curves",
    title="How sure the numbers of checkpoints are",
    about="Computed from the table curves.",
    source="Ours",
    quantities=(
        Quantity(
            name="half_width",
            title="Largest half width of intervals",
            unit="as the measure",
            range="0 and more",
            definition="Half the width of a head's 95 % interval, the largest of all heads and checkpoints.",
        ),
        share(
            name="next_accuracy",
            title="Accuracy of next sentence prediction, with its interval",
            definition="The stored accuracy with Wilson's interval over inputs.",
            reference="commoner_answer",
        ),
        share(
            name="commoner_answer",
            title="Inputs for which always giving the commoner answer is right",
            definition="The share of inputs whose second part follows the first, or one minus it if that is more.",
            formula="max(follows, 1 - follows)",
        ),
        share(
            name="breadth",
            title="Entropy of a layer as a share of that of uniform attention",
            definition=(
                "Mean entropy of the rows, and the ends of its interval, divided by that of uniform attention; single "
                "documents are not stored, so an end that would lie above 1 is put there."
            ),
            formula="entropy.all / its uniform value",
            reference="1 for uniform attention",
            of=("layer",),
        ),
    ),
)
OF_PARTNERS = Study(
    name="partners",
    title="Where a word's partner stands",
    about=(
        "Of a word form of a treebank: how far away the word stands that it depends on. Computed from the trees alone, "
        "so that it is the same for every model; [CLS] and [SEP] are in no tree."
    ),
    source='After "A Hypothesis about Learning Curve of BERT" (2021), which gives no definition; this one is ours',
    quantities=(
        nats(
            name="offset_entropy",
            title="Entropy of the offset to the word that it depends on",
            range="0 and more",
            definition="Expected entropy of the offset, in words, of 50 occurrences drawn without replacement.",
            reference="0 where the partner always stands in the same place; at most ln 50",
        ),
        share(
            name="commonest_offset",
            title="Occurrences with the commonest offset",
            definition="Share of the occurrences whose partner stands at the offset that is commonest for the form.",
        ),
    ),
)
COURSES = Study(
    name="courses",
    title="How layers differ, where two models are compared",
    about=(
        "Curves over layers that models of any depth can be set side by side by: means over the heads of a layer and "
        "over documents. Computed from the tables documents and uniform; intervals resample documents."
    ),
    source="The measures are those of Clark et al. 2019, section 3, and ours; so is the comparison by relative depth",
    quantities=(
        share(
            name="breadth",
            title="Entropy of a layer as a share of that of uniform attention",
            definition="Mean over documents and heads of entropy as a share of that of uniform attention.",
            formula="mean of entropy.all / its uniform value",
            reference="1 for uniform attention",
            of=("layer",),
        ),
        share(
            name="special",
            title="Attention of a layer to special tokens",
            definition="Mean over documents and heads of the attention to [CLS] and [SEP] together.",
            formula="attention.cls + attention.sep",
            of=("layer",),
        ),
        share(
            name="far",
            title="Attention of a layer to distant words",
            definition="Mean over documents and heads of the attention to words more than eight tokens away.",
            formula="far.before + far.after",
            of=("layer",),
        ),
    ),
)
MADE_FOR_PAGES = (TRIED, OVER_LAYERS, OF_HEADS, OF_CURVES, OF_PARTNERS, COURSES)
