"""The records of numbers about trees and words of a treebank."""

from generator.corpora.treebank import TREEBANK
from generator.numbers.quantity import (
    AXIS,
    Placeholder,
    Study,
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
STUDIES = (TREES, WORDS, RESTING)
