"""The records of numbers about example sentences of the sources."""

from generator.corpora.treebank import TREEBANK
from generator.numbers.quantity import Maker, Placeholder, Study, share
from generator.topics.quoted.corpus import quotes

SENTENCE = Placeholder("sentence", {quote.key: f"\u201c{quote.text}\u201d" for quote in quotes().values()})
WORD = Placeholder.any("word", r"\d+")
"""The place of a word in the sentence, from 1."""
ALONE = "It is one sentence, so it has no interval: it illustrates and shows nothing."
ALIKE = (
    "Sentences of a treebank with as many words are read without the marks at their end; what is said of two words of "
    "the example is asked there of the words at the same places. So it is what their places alone give."
)
QUOTED = Study(
    name="quoted",
    title="Example sentences of the sources",
    about=(
        "A sentence that a source gives as an example is read alone, and so are the sentences of a treebank that have "
        "as many words and no marks but at their end. A word of the example is said to look at another one; all "
        "numbers are of attention among words. Intervals resample the sentences of the treebank."
    ),
    made=Maker.EXPERIMENT,
    reads=TREEBANK,
    command="fieldguide quoted MODEL",
    source="Ours; the example sentences are those of the sources, as data/corpora/quoted.toml has them",
    quantities=(
        share(
            name="{sentence}.weight.{word}",
            where="the examples",
            title="{sentence}: attention to word {word}",
            definition="Share of its attention that the word which the example is about gives to word {word}.",
            reference="usual",
            caveats=(ALONE,),
            of=("head",),
            placeholders=(SENTENCE, WORD),
        ),
        share(
            name="{sentence}.usual",
            where="a treebank",
            title="{sentence}: the same in sentences of as many words",
            definition="Share of its attention that the word at the place of the one gives to the word at the place of "
            "the other: the mean over sentences, which n counts.",
            caveats=(ALIKE,),
            of=("head",),
            placeholders=(SENTENCE,),
        ),
        share(
            name="{sentence}.ahead",
            where="the examples",
            title="{sentence}: heads that do as the source says",
            definition="Share of all heads in which the word gives the other one more than any word between the two.",
            reference="ahead.usual",
            caveats=(ALONE,),
            placeholders=(SENTENCE,),
        ),
        share(
            name="{sentence}.ahead.usual",
            where="a treebank",
            title="{sentence}: heads that do the same in sentences of as many words",
            definition="The same share of heads, the mean over sentences, which n counts.",
            caveats=(ALIKE,),
            placeholders=(SENTENCE,),
        ),
        share(
            name="{sentence}.fewer",
            where="a treebank",
            title="{sentence}: sentences of as many words in which fewer heads do so",
            definition="Share of the other sentences in which fewer heads do so than in the example; n counts them.",
            reference="1/2 for a sentence like the others",
            caveats=(ALIKE,),
            placeholders=(SENTENCE,),
        ),
    ),
)
STUDIES = (QUOTED,)
