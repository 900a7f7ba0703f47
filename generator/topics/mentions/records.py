"""The records of numbers about linked mentions, and about questions and their answers."""

from generator.corpora.questions import QUESTIONS
from generator.numbers.quantity import Placeholder, Study, columns, count, difference, share
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
CHANCE = "chance"


BEST = "best simple"
"""The simple baseline that is right most often for a kind on the half that chooses; the rule system is not simple."""


GAIN = "gain over "
"""Prefix of a baseline's name: how much more often than the baseline the head is right, on the same mentions."""


STUDIES = (ANTECEDENTS, ANSWERS)
