"""The records of the relation tables' columns: how often heads, fixed offsets and untrained twins are right."""

from generator.corpora.treebank import TREEBANK
from generator.numbers.quantity import Quantity, Study, columns, count, difference, share

WORDS_OF = count(name="n", title="Words", range="1 and more", definition="Words that carry the relation.", of=("head",))
CORRECT = count(
    name="correct",
    title="Words found",
    range="0 and more",
    definition="Words of the relation whose wanted word gets the head's largest weight.",
    reference="n, where every word is found",
    caveats=("A root depends on no word, so nothing can find its head.",),
    of=("head",),
)
OFFSET = Quantity(
    name="offset",
    title="Fixed offset",
    unit="number",
    definition="How many words after a word its head is guessed to stand; below 0 before it.",
)
RELATIONS = Study(
    name="relations",
    title="Relations that heads find",
    about=(
        "Every word of a treebank is looked up in the map of every head, in both directions: the word that the "
        "dependent attends to most, and the word that attends to it most. A head is right where that is the word it "
        'depends on. The relation "all" is all words. The table relation_heads has the best head of each relation '
        'with 20 words or more: by the protocol "held-out", head, direction and offset are chosen on one half of the '
        'sentences and reported on the other; by "same data", as in the paper, both are done on all sentences. '
        "Intervals resample sentences."
    ),
    source="Clark et al. 2019, section 4.2 and Table 1; halves, intervals and twins are ours",
    reads=TREEBANK,
    quantities=(),
    columns=(
        *columns("relations", CORRECT, WORDS_OF),
        *columns(
            "relation_baselines",
            OFFSET,
            count(
                name="correct",
                title="Words found by the offset",
                range="0 and more",
                definition="Words of the relation whose head stands at this offset.",
            ),
            WORDS_OF,
        ),
        *columns(
            "relation_heads",
            share(
                name="value",
                title="Accuracy of the best head",
                definition="Share of the words of a relation whose wanted word gets the head's largest weight.",
                formula="correct / n on the sentences that are reported",
                reference="the best fixed offset, and the best head of an untrained twin",
                caveats=(
                    'By the protocol "same data" the head is chosen and judged on the same words, so this is too high.',
                ),
                of=("head",),
            ),
            count(
                name="n",
                title="Words reported",
                range="1 and more",
                definition="Words that carry the relation, in the sentences that are reported.",
                of=("head",),
            ),
            OFFSET,
            share(
                name="baseline",
                title="Accuracy of the best fixed offset",
                definition="Share of the same words whose head stands at the offset that was best where it was chosen.",
            ),
            difference(
                name="gain",
                title="Lead over the best fixed offset",
                definition="Accuracy of the head minus that of the offset, on the same words.",
                formula="value - baseline",
                reference="0; the interval resamples both together",
                of=("head",),
            ),
            count(
                name="rank",
                title="Rank of the head on the reported sentences",
                range="1 and more",
                definition="1 plus the number of heads and directions that are right more often on these sentences.",
                reference="1: the head that was chosen is the best there, too",
                of=("head",),
            ),
            share(
                name="twin",
                title="Accuracy of an untrained twin's best head",
                definition=(
                    "Mean, over five models with the same embeddings and otherwise random weights, of the accuracy of "
                    "each one's best head, chosen in the same way; the ends are the lowest and the highest of them."
                ),
            ),
        ),
    ),
)
DECILES = Study(
    name="deciles",
    title="Sentences from strong to weak attention",
    about=(
        "Sentences of the treebank that comes with the program are ranked for every head by how strongly it attends in "
        "them; a head's page shows one from the highest, the fifth and the lowest tenth."
    ),
    source="After Voita et al. 2019, section 4, whose confidence this is at the level of words",
    reads=TREEBANK,
    quantities=(),
    columns=columns(
        "deciles",
        count(
            name="decile",
            title="Tenth",
            range="1 to 10",
            definition="The tenth that the sentence is from; in tenth 10 the head attends most strongly.",
        ),
        share(
            name="strength",
            title="Strength of a head in a sentence",
            definition="Mean over words of the largest weight that the word gives to another word or itself.",
            of=("head",),
        ),
    ),
)
