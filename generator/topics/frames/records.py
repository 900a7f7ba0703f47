"""The records of numbers about attention to kinds of words, and about links between a frame's roles and its target."""

from generator.corpora.treebank import TREEBANK
from generator.numbers.quantity import AT_ONCE, AXIS, Placeholder, Study, count, difference, place, share
from generator.topics.frames.corpus import frames

KINDS = {
    "noun": "nouns",
    "verb": "verbs",
    "pronoun": "pronouns",
    "subject": "subjects",
    "object": "objects",
    "negation": "words of negation",
    "punctuation": "punctuation",
    "begin": "[CLS]",
    "separator": "[SEP]",
}
KIND = Placeholder("kind", KINDS)
FEATURE = Study(
    name="features",
    title="Attention to kinds of words",
    about=(
        "How much attention tokens of a kind receive from all tokens, in the sentences that have such a token. "
        "Tokens are the model's own, special ones included; every piece of a split word is of the word's kind. Numbers "
        "of layers are means over heads; intervals resample sentences, which n counts."
    ),
    source="Kovaleva et al. 2019, sections 4.4 and 4.5; kinds are those of Universal Dependencies, not spaCy's",
    reads=TREEBANK,
    quantities=(
        share(
            name="{kind}.max",
            title="Attention to the token among {kind} that receives most",
            definition=(
                "Share of all tokens' attention that goes to the one token among {kind} that receives most: the "
                "paper's score."
            ),
            formula="max_{j of the kind} (1/n) sum_i A[i, j]",
            caveats=("Grows with the number of such tokens and has no baseline.",),
            of=("layer", "head"),
            placeholders=(KIND,),
        ),
        share(
            name="{kind}.mean",
            title="Attention to {kind}",
            definition="Mean attention over all tokens to {kind} together.",
            formula="(1/n) sum_i sum_{j of the kind} A[i, j]",
            reference="the frequency of the kind, which uniform attention gives",
            of=("layer", "head"),
            placeholders=(KIND,),
        ),
        share(
            name="{kind}.begin_row",
            where="a model with [CLS]",
            title="Largest weight from [CLS] to {kind}",
            definition="The largest weight from [CLS] to one of {kind}; the paper shows the last layer.",
            formula="max_{j of the kind} A[begin, j]",
            of=("layer", "head"),
            placeholders=(KIND,),
        ),
        share(
            name="{kind}.frequency",
            title="Frequency of {kind}",
            definition="Share of tokens that are {kind}, in the sentences that have such a token.",
            placeholders=(KIND,),
        ),
    ),
)

FRAMES = Placeholder("frames", {"": "all frames", "paper.": "frames that pass the paper's filters"})
WAY = Placeholder("way", {"element_to_target": "from element to target", "target_to_element": "from target to element"})
LINK = (FRAMES, WAY)
FRAME = Study(
    name="frames",
    title="Frame elements and their targets",
    about=(
        "A word such as buy evokes a frame and is its target; the buyer and the goods are core elements of the frame. "
        "This is the largest weight between a word of a core element and a word of the target, in both directions and "
        "between whole words, as a mean over annotated frames. Beside it stands the same for pairs of words at the "
        "same distances elsewhere in the sentence. Intervals resample sentences, which n counts."
    ),
    source="Kovaleva et al. 2019, section 4.2, whose code reads tokens from element to target alone",
    reads=frames.FRAMES,
    quantities=(
        count(
            name="{frames}frames",
            title="Number of {frames}",
            definition="How many frames the means are taken over: {frames}.",
            placeholders=(FRAMES,),
        ),
        share(
            name="{frames}{way}",
            title="Weight {way}, {frames}",
            definition="Mean over {frames} of the largest weight {way}: the paper's score.",
            reference="the same at other places",
            of=("head",),
            placeholders=LINK,
        ),
        share(
            name="{frames}{way}.matched",
            where="frames that can be moved",
            title="Weight {way} at the same distances, {frames}",
            definition=(
                "The largest weight {way} when all pairs of a frame are moved together along their sentence, mean over "
                "the places where they fit and over {frames}."
            ),
            caveats=("Only for frames that can be moved.",),
            of=("head",),
            placeholders=LINK,
        ),
        difference(
            name="{frames}{way}.gain",
            where="frames that can be moved",
            title="Gain over the same distances {way}, {frames}",
            definition="The weight minus that at other places, paired, over the frames that can be moved.",
            reference="0 for a head that looks a fixed distance ahead",
            caveats=("Moved pairs fall on words of any kind, so some gain may come from content words alone.",),
            of=("head",),
            placeholders=LINK,
        ),
        difference(
            name="{frames}{way}.gain.family",
            where="frames that can be moved",
            title="Gain with a simultaneous interval {way}, {frames}",
            definition="The same gain with an interval that holds for all heads and both directions at once.",
            reference="0",
            beyond=AT_ONCE,
            of=("head",),
            placeholders=LINK,
        ),
        share(
            name="{frames}{way}.percentile99",
            where="frames whose heads can be ranked",
            title="99th percentile of the heads' weights {way}, {frames}",
            definition="The weight {way} that one head in a hundred exceeds.",
            placeholders=LINK,
        ),
        count(
            name="{frames}{way}.above",
            where="frames whose heads can be ranked",
            title="Heads with a gain {way}, {frames}",
            range="0 to the number of heads",
            definition="Heads whose simultaneous interval of the gain is above 0.",
            reference="0",
            placeholders=LINK,
        ),
        difference(
            name="{frames}{way}.best.gain",
            where="frames in both halves",
            title="Gain of the best head {way}, held-out, {frames}",
            definition="Gain, on one half of the sentences, of the head that has the largest gain on the other half.",
            reference="0",
            placeholders=LINK,
        ),
        place(
            name="{frames}{way}.best.{axis}",
            where="frames in both halves",
            title="{axis} of the best head {way}, {frames}",
            definition="The {axis} of the head that has the largest gain on one half of the sentences.",
            placeholders=(*LINK, AXIS),
        ),
    ),
)
FEATURES = ("noun", "verb", "pronoun", "subject", "object", "negation", "punctuation", "begin", "separator")


DIRECTIONS = ("element_to_target", "target_to_element")
"""Directions in which links are read: from the query word to the key word."""


PERCENTILE = 99


STUDIES = (FEATURE, FRAME)
