"""The records of numbers about relations and the heads that find them, columns of tables among them."""

from generator.corpora.treebank import TREEBANK
from generator.numbers.quantity import (
    Maker,
    Placeholder,
    Quantity,
    Study,
    columns,
    count,
    difference,
    share,
)

WORDS_OF = count(name="n", title="Words", range="1 and more", definition="Words that carry the relation.", of=("head",))
CORRECT = count(
    name="correct",
    title="Words found",
    range="0 to n",
    definition="Words of the relation whose wanted word gets the head's largest weight.",
    reference="n, where every word is found",
    caveats=("A root depends on no word, so nothing can find its head.",),
    of=("head",),
)
EDGE = "Beyond an end of the sentence it picks the first or the last word."
"""What a fixed offset does where there is no word at its distance."""
OFFSET = Quantity(
    name="offset",
    title="Fixed offset",
    unit="number",
    range="-3 to 3",
    definition=f"How many words after a word its head is guessed to stand; below 0 before it. {EDGE}",
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
                range="0 to n",
                definition="Words of the relation whose head the offset picks.",
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
                definition="Share of the same words whose head the offset picks that was best where it was chosen.",
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
WHICH = Placeholder.any("relation", ".+")
COUNTED = "relations with enough words in a treebank"
ARROWS = Study(
    name="arrows",
    title="Strong arrows of the heads that find relations",
    about=(
        "An arrow goes from a word to the other word that it looks at most, and is strong if that word gets more than "
        "half of what all words get; special tokens are left out. It is right if it is a link of the relation for "
        "which the head was chosen, in the direction in which it was: from a word of the relation to the word that "
        "this depends on, or back. Head, direction and offset were chosen on one half of the sentences "
        "(relation_heads), and arrows are counted on the other. Intervals resample sentences; n counts strong arrows."
    ),
    source="Ours; the other way round from Clark et al. 2019, section 4.2",
    reads=TREEBANK,
    quantities=(
        share(
            name="right.{relation}",
            where=COUNTED,
            title="Strong arrows that are links of {relation}",
            definition="Share of the strong arrows of the head chosen for {relation} that are links of it.",
            reference="offset.{relation}",
            caveats=("A head that finds several relations has arrows for each, so a single share may be small.",),
            of=("head",),
            placeholders=(WHICH,),
        ),
        share(
            name="offset.{relation}",
            where=COUNTED,
            title="Arrows at the best fixed offset that are links of {relation}",
            definition=(
                "Share of links of {relation} if each of the same words pointed to the word at the best fixed offset."
            ),
            of=("head",),
            placeholders=(WHICH,),
        ),
        difference(
            name="gain.{relation}",
            where=COUNTED,
            title="Lead of strong arrows over the best fixed offset, {relation}",
            definition="The share of strong arrows that are links of {relation} minus that at the offset, paired.",
            reference="0",
            of=("head",),
            placeholders=(WHICH,),
        ),
    ),
    columns=columns(
        "arcs",
        count(
            name="word",
            title="Word of a sentence that is shown",
            range="0 to 11",
            definition="The 0-based place of the word whose arrow a head's page points out.",
        ),
        count(
            name="to",
            title="Word at the other end",
            range="0 to 11",
            definition="The 0-based place of the word to which the relation links it, or else of its arrow's end.",
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
TRIED = Study(
    name="relations tried",
    title="What every head finds, on all sentences",
    about=(
        "How often each head, in each direction, and the best fixed offset find a relation of 20 words or more, on all "
        "sentences of a treebank. Computed from the counts in the tables relations and relation_baselines; intervals "
        "are Wilson's, wider by as much as resampled sentences make that of the relation's best head wider."
    ),
    made=Maker.PAGES,
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
TWINS = 5
"""Draws of the untrained twin: enough to see how much its best head depends on the draw."""


FEW_WORDS = 20
"""With fewer words of a relation no best head is named."""


POSSESSIVE = ("nmod:poss", "poss")
"""Relations for which the prediction of a following possessive marker counts, as in the paper."""


NAMES = ("right", "offset", "gain")
"""How the names of the stored numbers begin."""


MARK = "PUNCT"
"""The word class that separates spans: periods and commas, but also dashes, quotation marks and brackets."""


STUDIES = (RELATIONS, ARROWS, DECILES, TRIED)
