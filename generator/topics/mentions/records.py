"""The records of numbers about linked mentions, about questions and their answers, and about spans."""

from dataclasses import replace

from generator.corpora.questions import QUESTIONS
from generator.numbers.quantity import Maker, Placeholder, Quantity, Study, columns, count, difference, share
from generator.topics.mentions.corpus import mentions

CANDIDATES = Placeholder("candidates", {"words": "all words before", "mentions": "head words of mentions before"})
MENTIONS = Placeholder("mentions", {"all": "mentions", "pronoun": "pronouns"})
ANTECEDENTS = Study(
    name="antecedents",
    title="Antecedents",
    about=(
        "Whether, for a mention that has an antecedent, the candidate to which the head attends most is an antecedent. "
        "The start of every document is read, as much as fits into one input; n counts mentions, and intervals "
        "resample documents."
    ),
    source="Clark et al. 2019, section 4.3",
    reads=mentions.MENTIONS,
    quantities=(
        share(
            name="{candidates}.{mentions}",
            title="Antecedents found for {mentions}, among {candidates}",
            definition="Share of {mentions} for which the largest weight among {candidates} is on an antecedent.",
            reference="the nearest mention and rules, in the table antecedents",
            of=("head",),
            placeholders=(CANDIDATES, MENTIONS),
        ),
    ),
    columns=columns(
        "antecedents",
        difference(
            name="value",
            title="Accuracy of the best head, or of a rule, or the lead of one over the other",
            definition=(
                "Share of mentions for which the word that the head, or the rule, picks is an antecedent; in rows that "
                'begin with "gain over", the share of the head minus that of the rule, on the same mentions.'
            ),
            reference="the nearest mention, the nearest with the same head word, and rules, each in a row of its own",
            of=("model", "head"),
        ),
        count(name="n", title="Mentions", definition="Mentions that have an antecedent."),
    ),
)
ANSWERS = Study(
    name="answers",
    title="Starts and ends of answers",
    about=(
        "Where a model that finds answers in passages puts the start and the end of an answer, each chosen by itself. "
        "A question and its passage are read as one input; a passage that is too long loses its end. Intervals are "
        "Wilson's; n counts questions."
    ),
    source="Devlin et al. 2019, section 4.2, for the head; the counts are ours",
    reads=QUESTIONS,
    takes="a head that finds answers in passages",
    quantities=(
        share(
            name="reversed",
            where="questions that are reversed",
            title="Answers whose likeliest end lies before the likeliest start",
            definition=(
                "Share of questions whose likeliest end lies before the likeliest start, among the tokens of "
                "the passage."
            ),
            reference="0",
            caveats=("Intervals treat questions as independent, even where many are about one passage.",),
        ),
        share(
            name="reversed.anywhere",
            where="questions whose passages are reversed",
            title="Answers whose likeliest end lies before the likeliest start, among all tokens",
            definition="The same among all tokens of the input, those of the question and special ones included.",
            reference="0",
        ),
        share(
            name="exact",
            where="questions with answers",
            title="Answers that are exact",
            definition=(
                "Of the questions with an answer in the part of the passage that was read, the share whose best span, "
                "which may not end before it starts, has exactly the tokens of an answer."
            ),
            caveats=("Tells a trained head from an untrained one.",),
        ),
    ),
)
SEED = Placeholder.any("seed", r"\d+")
KNOWN = "Other mentions of the same person are not linked in GAP, and a span that is one of them counts as wrong."


def _of_seeds(record: Quantity) -> tuple[Quantity, Quantity]:
    """The record of a mean over seeds, and of the number of each."""
    one = replace(
        record,
        name=f"{record.name}.seed{{seed}}",
        title=f"{record.title}, seed {{seed}}",
        definition=record.definition.removesuffix(MEAN),
        placeholders=(SEED,),
        beyond="",
    )
    return record, one


MEAN = " Mean over seeds."
FEW_SEEDS = "Of few seeds the interval is widened, and may leave the range of a share."
SPANS = Study(
    name="spans",
    title="Spans whose start and end are chosen independently",
    about=(
        "A head with one vector for the start and one for the end is trained with its encoder on passages whose "
        "pronoun means a name before it. It reads the pronoun with the words around it, then the passage, and marks "
        "the name. Passages without such a name are left out, so no answer is empty; a passage that is too long loses "
        "its end, and is left out if its answer is cut. Passages that are judged were not trained on. Intervals "
        "resample passages and, of means, seeds; n counts passages. Passages of one article count as independent."
    ),
    source="Ours, for a question of Feinberg 2019; the head is that of Devlin et al. 2019, section 4.2",
    reads=mentions.MENTIONS,
    made=Maker.EXPERIMENT,
    command="fieldguide spans MODEL --train FILE --corpus FILE",
    quantities=(
        *_of_seeds(
            share(
                name="crossed",
                title="Spans that end before they start",
                definition="Share of passages whose likeliest end lies before the likeliest start." + MEAN,
                reference="ends of other passages, and random heads on the encoder before training",
                beyond=FEW_SEEDS,
            )
        ),
        share(
            name="crossed.null",
            title="Spans that end before they start, with the end of another passage",
            definition=(
                "Share of pairs of different passages in which the likeliest end of one lies before the likeliest "
                "start of the other, both counted in tokens from the beginning of their passages." + MEAN
            ),
            beyond=FEW_SEEDS,
        ),
        difference(
            name="crossed.minus.null",
            title="Spans that end before they start, minus those with the end of another passage",
            definition="The share of spans that end before they start minus that with ends of other passages.",
            reference="0 for ends that know nothing of their starts",
        ),
        share(
            name="crossed.random",
            title="Spans that end before they start, before training",
            definition=(
                "The same share for random vectors of start and end on the encoder before training, mean over 20 draws "
                "of both."
            ),
            drawn="random heads",
            beyond=FEW_SEEDS,
        ),
        *_of_seeds(
            share(
                name="exact.independent",
                title="Spans found, start and end chosen independently",
                definition=(
                    "Share of passages whose likeliest start and likeliest end are those of the name. A span that ends "
                    "before it starts counts as empty, and so as wrong." + MEAN
                ),
                reference="the nearest name",
                caveats=(KNOWN,),
                beyond=FEW_SEEDS,
            )
        ),
        *_of_seeds(
            share(
                name="exact.pair",
                title="Spans found, start and end chosen together",
                definition=(
                    "Share of passages in which the pair of start and end with the largest sum of scores, in the right "
                    "order and of at most 30 tokens, is the name." + MEAN
                ),
                reference="the nearest name",
                caveats=(KNOWN,),
                beyond=FEW_SEEDS,
            )
        ),
        difference(
            name="exact.gain",
            title="Spans found only if start and end are chosen together",
            definition="Spans found with start and end chosen together minus those found independently.",
            reference="0",
        ),
        share(
            name="exact.mended",
            title="Of spans that end before they start, those that the best pair mends",
            definition=(
                "Of the passages whose likeliest end lies before the likeliest start, the share in which the best pair "
                "is the name. All seeds together; n counts passages with such a span by any seed."
            ),
            reference="spans found in the other passages",
            where="spans that end before they start",
            beyond=FEW_SEEDS,
        ),
        share(
            name="exact.uncrossed",
            title="Of spans that do not end before they start, those that the best pair finds",
            definition=(
                "Of the passages whose likeliest end does not lie before the likeliest start, the share in which the "
                "best pair is the name. All seeds together; n counts passages with such a span by any seed."
            ),
            where="spans that do not end before they start",
            beyond=FEW_SEEDS,
        ),
        difference(
            name="exact.mended.minus.uncrossed",
            title="What the best pair finds where spans end before they start, minus elsewhere",
            definition=(
                "The share of names that the best pair finds where the likeliest end lies before the likeliest start, "
                "minus that elsewhere."
            ),
            reference="0 if the order said nothing about what the model knows",
            where="spans of both kinds",
        ),
        share(
            name="exact.nearest",
            title="Spans found by the nearest name",
            definition=(
                "Share of passages in which the nearest name before the pronoun is the one it means. Names are "
                "neighbouring words that begin with a capital, but for words that the training passages have in small "
                "letters, too."
            ),
        ),
        difference(
            name="exact.pair.minus.nearest",
            title="Spans found, start and end chosen together, minus those found by the nearest name",
            definition="Spans found with start and end chosen together minus those that the nearest name gives.",
            reference="0",
        ),
        share(
            name="exact.given",
            title="Spans found by the nearest linked mention",
            definition=(
                "Share of passages in which the nearest of the linked mentions before the pronoun is the one it means. "
                "The head is not told which these are; GAP has two, one of them wrong."
            ),
        ),
        count(
            name="trained",
            title="Passages trained on",
            definition="How many passages the head was trained on in each epoch.",
        ),
        count(
            name="cut",
            title="Passages cut",
            definition="How many passages that are judged lost their end, because the input was too long.",
        ),
        count(
            name="lost",
            title="Passages whose answer was cut",
            definition="How many passages were not judged because the input was too long to hold their answer.",
        ),
    ),
)
CHANCE = "chance"


BEST = "best simple"
"""The simple baseline that is right most often for a kind on the half that chooses; the rule system is not simple."""


GAIN = "gain over "
"""Prefix of a baseline's name: how much more often than the baseline the head is right, on the same mentions."""


STUDIES = (ANTECEDENTS, ANSWERS, SPANS)
