"""The records of numbers about heads on a treebank, the columns of the tables of relations among them."""

from generator.corpora.treebank import TREEBANK
from generator.numbers.quantity import (
    AXIS,
    Placeholder,
    Quantity,
    Study,
    columns,
    count,
    difference,
    place,
    ratio,
    share,
)

READING = Placeholder("reading", {"uuas": "to attending words", "uuas.to_dependents": "to attended words"})
TREES = Study(
    name="trees",
    title="Trees in the attention of a head",
    about=(
        "The words of a sentence are linked by the maximum spanning tree of a head's map, rooted at the gold root, "
        "and these links are compared with the gold tree. A link counts as found if both trees link the same two "
        "words, whichever is the head. Intervals resample sentences; n counts links, one for each word but the roots."
    ),
    source="Htut et al. 2019, whose edges point from a word to those it attends to",
    reads=TREEBANK,
    quantities=(
        share(
            name="{reading}",
            title="Gold links in the head's trees, edges {reading}",
            definition="Share of gold links that are in the head's trees, whose edges point {reading} (UUAS).",
            reference="uuas.adjacent",
            of=("head",),
            placeholders=(READING,),
        ),
        difference(
            name="{reading}.gain",
            title="Gain of the head's trees over the adjacent chain, edges {reading}",
            definition="The share in the head's trees minus that in the chain of adjacent words, paired.",
            reference="0",
            of=("head",),
            placeholders=(READING,),
        ),
        share(
            name="uuas.adjacent",
            title="Gold links in the chain of adjacent words",
            definition="Share of gold links between neighbours.",
        ),
        share(
            name="{reading}.best",
            where="sentences in both halves",
            title="Gold links in the trees of the best head, edges {reading}, held-out",
            definition=(
                "Share of gold links in the trees of one head, on one half of the sentences; it is the head that has "
                "most gold links on the other half."
            ),
            reference="uuas.adjacent",
            placeholders=(READING,),
        ),
        difference(
            name="{reading}.best.gain",
            where="sentences in both halves",
            title="Gain of the best head over the adjacent chain, edges {reading}, held-out",
            definition="The best head's share minus that of the chain of adjacent words on the same sentences, paired.",
            reference="0",
            placeholders=(READING,),
        ),
        place(
            name="{reading}.best.{axis}",
            where="sentences in both halves",
            title="{axis} of the head with the best trees, edges {reading}",
            definition="The {axis} of the head that has most gold links on one half of the sentences.",
            placeholders=(READING, AXIS),
        ),
    ),
)

WHERE = Placeholder("where", {"outside": "outside", "inside": "inside"})
PAIR = Placeholder("pair", {"noun_pronoun": "a noun and a pronoun", "verb_subject": "a subject and its head word"})
WORDS = Study(
    name="words",
    title="Words of a treebank",
    about=(
        "What heads do with the words of a treebank besides finding head words. Links are means over the sentences "
        "that have such a pair, all other numbers are means over all words. Intervals resample sentences, which n "
        "counts."
    ),
    source="Clark et al. 2019, sections 3.2 and 4.1; Kovaleva et al. 2019, section 4.5; spans are ours",
    reads=TREEBANK,
    quantities=(
        share(
            name="split",
            title="Words that the tokenizer splits",
            definition="Share of words that have more than one piece.",
            reference="0.08 in Clark et al. 2019",
        ),
        share(
            name="sep.{where}",
            where="treebanks with enough words of a relation in both halves",
            title="Attention to [SEP] from words {where} the head's own relation",
            definition=(
                "Attention to [SEP] from words {where} the relation on which the head most exceeds a fixed "
                "offset; the relation is chosen on one half of the sentences, the attention is that on the other."
            ),
            reference="the same from words on the other side",
            caveats=("Every head has such a relation, also one that finds none well.",),
            of=("head",),
            placeholders=(WHERE,),
        ),
        share(
            name="special.loss",
            title="Accuracy lost where special tokens may be picked",
            definition=(
                "Share of words whose head word is found when only words may be picked, but not when [CLS] and [SEP] "
                "may be picked too."
            ),
            reference="0",
            of=("head",),
        ),
        share(
            name="link.{pair}",
            title="Largest weight between {pair}",
            definition="The largest weight between {pair} of a sentence, in either direction.",
            caveats=(
                "Such pairs are often neighbours, so compare it with attention to the previous and the next token.",
            ),
            of=("head",),
            placeholders=(PAIR,),
        ),
        share(
            name="span.inside",
            title="Attention to other words of the same span",
            definition="Attention to other words of the same span; a span is all words between two punctuation marks.",
            reference="span.matched",
            of=("head",),
        ),
        share(
            name="span.matched",
            title="Attention to the same span by distance alone",
            definition=(
                "What a span would get if every pair of words had the head's mean weight at its distance in "
                "the sentence."
            ),
            of=("head",),
        ),
        difference(
            name="span.gain",
            title="Gain of the same span over distance alone",
            definition="Attention to other words of the same span minus what distance alone gives, paired.",
            reference="0",
            caveats=("The mean at a distance holds the span's own pairs too, so that differences are understated.",),
            of=("head",),
        ),
        ratio(
            name="span.ratio",
            title="Attention to the same span as a ratio to distance alone",
            definition=(
                "Attention to other words of the same span divided by what distance alone gives, each the mean over "
                "the heads of a layer; for the model, over the last third of the layers."
            ),
            reference="1",
            of=("model", "layer"),
        ),
    ),
)
KIND = Placeholder("kind", {"cls": "[CLS]", "sep": "[SEP]", "punctuation": "periods and commas"})
KINDS, SIDES, TWIN = tuple(KIND.values), tuple(WHERE.values), "twin."
ENOUGH = "treebanks with enough words of a relation in both halves"
RESTING = Study(
    name="resting",
    title="Where words outside a relation go",
    about=(
        "Attention to [CLS], to [SEP], and to periods and commas from the words of a treebank that carry a head's own "
        "relation, and from all others. The relation is the one on which the head most exceeds a fixed offset, chosen "
        "on one half of the sentences; the attention is that on the other half. Intervals resample sentences, which n "
        "counts."
    ),
    source="After Clark et al. 2019, section 3.2 and Figure 5, which ask it of [SEP]; the twin is ours",
    reads=TREEBANK,
    quantities=(
        share(
            name="{kind}.{where}",
            where=ENOUGH,
            title="Attention to {kind} from words {where} the head's own relation",
            definition="Attention to {kind} from words {where} the head's own relation.",
            reference="the same from words on the other side, and that of an untrained twin",
            caveats=("Every head has such a relation, also one that finds none well.",),
            of=("head",),
            placeholders=(KIND, WHERE),
        ),
        share(
            name="twin.{kind}.{where}",
            where=f"{ENOUGH}, read by a model that can be run",
            title="Attention to {kind} from words {where} the own relation of an untrained head",
            definition=(
                "The same for the head in this place of an untrained twin, which chooses a relation of its own."
            ),
            of=("head",),
            placeholders=(KIND, WHERE),
        ),
    ),
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
