"""The records of numbers of single heads that pages compute from stored tables; no table holds them."""

from generator.numbers.quantity import Maker, Placeholder, Quantity, Study, correlation, count, difference, nats, share

OF_HEADS = Study(
    name="of heads",
    title="What pages say of single heads",
    about=(
        "Computed from the tables documents, uniform, heads, divergence and antecedents, for the page of a head or a "
        "list of heads."
    ),
    made=Maker.PAGES,
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
        Quantity(
            name="middle",
            title="Median over heads",
            unit="as the number",
            definition="The median over heads of a number, or of the size of a change; of two in the middle the lower.",
            reference="0 for a change that no head shows",
        ),
    ),
)
OVER_HEADS = Study(
    name="over heads",
    title="Numbers that rise together over heads",
    about="Spearman's correlations over the heads of a model, computed from stored numbers; intervals resample heads.",
    made=Maker.PAGES,
    source="Each names its own",
    quantities=(
        correlation(
            name="next_door.{link}",
            title="{link} and attention to neighbours",
            definition="Correlation of the largest weight between {link} and the attention to the previous and the "
            "next token.",
            reference="1 where heads that link such words are those that look next door",
            source="Kovaleva et al. 2019, section 4.5, say that they are",
            placeholders=(
                Placeholder("link", {"noun_pronoun": "nouns and pronouns", "verb_subject": "verbs and their subjects"}),
            ),
        ),
        correlation(
            name="cost.{number}",
            title="{number} and what disabling costs",
            definition="Correlation of {number} and what a task loses when the head alone is disabled.",
            reference="1 where the heads with the highest number cost most",
            source="Michel et al. 2019, section 4.1, prune by the gradient",
            placeholders=(
                Placeholder(
                    "number", {"importance": "gradient importance", "matched.gain": "the lead on identical words"}
                ),
            ),
        ),
    ),
)
