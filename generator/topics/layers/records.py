"""The records of numbers that are computed from stored tables when a page or claim needs them, and never stored."""

from generator.measures.patterns import PATTERNS
from generator.numbers.quantity import Maker, Placeholder, Quantity, Study, difference, share

FITS = "Three parts fit any curve to some degree, and a gradual drift beats layers in random order, too."
PHASES = Study(
    name="phases",
    title="Phases of layers",
    about=(
        "Curves over layers (breadth, attention to [CLS], to [SEP], to periods and commas, and how far heads lead at "
        "relations) are standardised and divided into three contiguous parts with the least squared error. Computed "
        "from the tables documents, uniform, relations and relation_baselines; intervals resample documents."
    ),
    made=Maker.PAGES,
    source="A Hypothesis about Learning Curve of BERT (2021) tells the phases; division and comparison are ours",
    quantities=(
        Quantity(
            name="boundary.{phase}",
            title="Last layer of phase {phase}",
            unit="number",
            range="1 and more",
            definition="The last layer of phase {phase} in the division with the least squared error.",
            reference="layers 3 and 10 of BERT-base, scaled to the depth of the model",
            caveats=(FITS,),
            placeholders=(Placeholder("phase", {"one": "one", "two": "two"}),),
        ),
        share(
            name="explained",
            title="Variance between layers that the division explains",
            definition="1 minus the squared error of the three parts divided by that of all layers as one part.",
            reference="shuffled, the mean of the same over random orders of the layers",
            caveats=(FITS,),
        ),
        share(
            name="shuffled",
            title="Variance that the best division explains with layers in random order",
            definition="Mean over random orders of the same layers of the share that the best division explains.",
        ),
        share(
            name="p",
            title="Random orders that explain as much",
            definition="Share of random orders of the layers whose best division explains as much or more.",
        ),
        Quantity(
            name="level.{phase}",
            title="What stands highest in phase {phase}",
            unit="number",
            definition=(
                "How far the curve that stands highest in phase {phase} lies above its own mean over layers, in "
                "standard deviations."
            ),
            placeholders=(Placeholder("phase", {"one": "one", "two": "two", "three": "three"}),),
        ),
        share(
            name="support.{phase}",
            title="Draws in which the same stands highest in phase {phase}",
            definition="Share of draws of documents in which the same curve stands highest in phase {phase}.",
            placeholders=(Placeholder("phase", {"one": "one", "two": "two", "three": "three"}),),
        ),
        difference(
            name="syntax",
            title="Gain in syntax",
            definition=(
                "How much more often the best head of a layer is right than the best fixed offset, mean over the "
                "relations of a treebank."
            ),
            reference="0",
            caveats=("The head is chosen on the same words, so the number is too high.",),
            of=("layer",),
        ),
    ),
)
TYPICAL = Study(
    name="typical maps",
    title="The numbers beside typical maps",
    about="They are computed from every head's stored map of an example sentence, which is a single segment.",
    made=Maker.PAGES,
    source="Kovaleva et al. 2019, section 4.1, name the patterns; the rule and its numbers are ours",
    quantities=(
        share(
            name="special",
            title="Attention to special tokens in a map",
            definition="Share of a map's attention that goes to the tokens that the tokenizer added.",
            of=("head",),
        ),
        share(
            name="near",
            title="Attention to neighbours in a map",
            definition="Share of a map's attention that goes to the token itself and the tokens beside it.",
            caveats=("Attention to special tokens does not count.",),
            of=("head",),
        ),
        share(
            name="breadth",
            title="Breadth of a map",
            definition="Mean entropy of a map's rows divided by that of uniform attention.",
            reference="1 for uniform attention",
            of=("head",),
        ),
    ),
)
RULE = Placeholder(
    "rule",
    {
        "both": "both cut-offs move",
        "special": "the cut-off on special tokens moves",
        "near": "the cut-off on neighbours moves",
        "column": "the cut-off moves, and the token that receives most stands for special tokens",
    },
)
PATTERN_SHARES = Study(
    name="pattern shares",
    title="Patterns as the cut-offs move",
    about=(
        "A rule with cut-offs gives every map one of five patterns. Here the cut-offs are moved from 0.3 to 0.7. "
        "Computed from the stored means of documents, which intervals resample."
    ),
    made=Maker.PAGES,
    source="The patterns are those of Kovaleva et al. 2019, section 4.1; rule and cut-offs are ours",
    quantities=(
        share(
            name="{pattern}.{rule}.{cutoff}",
            title="Share of {pattern} maps at cut-off {cutoff}: {rule}",
            definition="Share of maps, mean over heads and documents, that the moved rule calls {pattern}.",
            reference="the share by the rule in use, where the cut-off is 0.5",
            caveats=("A document that is read in several inputs counts as one map here, the mean of them.",),
            placeholders=(
                Placeholder("pattern", {name: name for name in PATTERNS}),
                RULE,
                Placeholder.any("cutoff", r"0\.\d+"),
            ),
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
    made=Maker.PAGES,
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
STUDIES = (PHASES, PATTERN_SHARES, TYPICAL, COURSES)
