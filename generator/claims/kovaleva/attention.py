"""Kovaleva et al. 2019, sections 4.1 to 4.5, as far as a model that was not fine-tuned can decide it."""

from functools import partial

import numpy as np

from generator.claims.claim import OF_ALL, OF_LAYERS, Claim, part, stored_part
from generator.claims.cutoffs import MAINLY, SEED
from generator.claims.evidence.documents import among_heads
from generator.claims.evidence.evidence import Evidence
from generator.claims.gate.premises import holds_separators, separator_attended
from generator.claims.missing import NO_PAIRS, defined
from generator.claims.published import of_layers
from generator.numbers.depth import lowest_third
from generator.numbers.number import Number, mean_in
from generator.studies.over_heads import links_next_door
from generator.topics.distances.compute.nearest import with_double
from generator.topics.distances.records import LANDSCAPE
from generator.topics.inputs.records.separators import SEPARATORS

KOVALEVA = "Kovaleva et al. 2019"
DOUBLES = "doubles"
AS_IN_BERT = holds_separators(1, 2)
"""That inputs are single texts with one [SEP] or pairs with two, as those of the paper's tasks."""


def _special_heads(evidence: Evidence) -> Number:
    columns = ["attention.cls", "attention.sep"]
    return evidence.share_of_heads(columns, lambda begin, end: begin + end > MAINLY, SEED)


K03 = Claim(
    id="K03",
    title="A third of the heads attend to special tokens only",
    statement="At least one head in three just attends to the special tokens.",
    paper=KOVALEVA,
    section="the authors' blog post, on section 4.1",
    measure=(
        f"Share of heads whose mean attention to [CLS] and [SEP] together is above {MAINLY}; documents are "
        "resampled, and Wilson's interval over heads is added. The source counts maps of fine-tuned models that look "
        "vertical. How much special tokens get also depends on how many [SEP] an input has, which must be one or two."
    ),
    needs="a [CLS] and a [SEP] token, of which inputs hold no more than two",
    parts=(
        part(
            "K03.2",
            "the share of heads that attend mainly to special tokens",
            "share",
            _special_heads,
            over="heads",
            premises=(AS_IN_BERT,),
        ),
    ),
    published=("kovaleva.blog.vertical",),
    measures=("attention.cls", "attention.sep", "attention.max"),
    home="famous",
    which="with most of the attention on special tokens",
)


def _begin_early(evidence: Evidence) -> Number:
    early = lowest_third(evidence.layers)
    columns = ["attention.cls", "attention.sep"]
    return evidence.estimate(columns, lambda begin, end: mean_in(begin - end, early), SEED, heads=True)


def _separator_late(evidence: Evidence) -> Number:
    early = lowest_third(evidence.layers)
    columns = ["attention.cls", "attention.sep"]
    return evidence.estimate(columns, lambda begin, end: mean_in(end - begin, ~early), SEED, heads=True)


K10 = Claim(
    id="K10",
    title="First [CLS], then [SEP]",
    statement="Early layers attend more to [CLS], later layers more to [SEP].",
    paper=KOVALEVA,
    section="4.4",
    measure=(
        "Attention to [CLS] minus that to [SEP], mean over the heads of the lowest third of layers, "
        "and the reverse for the other layers, on plain text; documents, and the heads of every layer, are resampled. "
        "The paper takes the larger of two [SEP], and finds this order in every task; here all [SEP] of an input "
        "count, which must be one or two."
    ),
    needs="a [CLS] and a [SEP] token, of which inputs hold no more than two, and more than one layer",
    parts=(
        part(
            "K10.1",
            "attention to [CLS] minus that to [SEP] in the lowest third of layers",
            "share",
            _begin_early,
            heads=True,
            premises=(AS_IN_BERT,),
        ),
        part(
            "K10.2",
            "attention to [SEP] minus that to [CLS] in the other layers",
            "share",
            _separator_late,
            heads=True,
            premises=(AS_IN_BERT,),
        ),
    ),
    published=of_layers("kovaleva.qqp.cls") + of_layers("kovaleva.qqp.sep"),
    measures=("attention.cls", "attention.sep", "attention.max"),
    nameless=OF_LAYERS,
)


def _diagonal_links(evidence: Evidence, link: str) -> Number:
    beside = evidence.mean("attention.previous"), evidence.mean("attention.next")
    links = evidence.head_facts("words", f"link.{link}").value
    found = defined(links_next_door(links, *beside, SEED), NO_PAIRS)
    evidence.name(links == np.nanmax(links))
    return found


K13 = Claim(
    id="K13",
    title="Heads that link verbs and subjects look next door",
    statement=(
        "Heads that link verbs with subjects, or nouns with pronouns, are those that attend to neighbouring tokens."
    ),
    paper=KOVALEVA,
    section="4.5",
    measure=(
        "Spearman's correlation over heads of the largest weight between such words with the attention to the previous "
        "and the next token; heads are resampled."
    ),
    needs="a treebank with verbs, subjects, nouns and pronouns: fieldguide analyze MODEL",
    parts=(
        part(
            "K13.1",
            "the rank correlation of verb-subject links with attention to neighbours",
            "correlation",
            partial(_diagonal_links, link="verb_subject"),
            over="heads",
        ),
        part(
            "K13.2",
            "the rank correlation of noun-pronoun links with attention to neighbours",
            "correlation",
            partial(_diagonal_links, link="noun_pronoun"),
            over="heads",
        ),
    ),
    measures=("attention.previous", "attention.next"),
    numbers=("words/link.noun_pronoun", "words/link.verb_subject"),
    which="with the strongest links between verbs and subjects or nouns and pronouns",
)


def _with_double(evidence: Evidence) -> Number:
    found, distance = evidence.fact(LANDSCAPE.name, DOUBLES), evidence.divergence()
    if distance is not None:
        evidence.name(with_double(distance).reshape(evidence.layers, evidence.heads))
    return among_heads(found, evidence.layers * evidence.heads)


K18 = Claim(
    id="K18",
    title="Heads repeat each other",
    statement="The model is redundant: the same pattern repeats over heads.",
    paper=KOVALEVA,
    section="6",
    measure=(
        "Share of heads whose nearest other head, by Jensen-Shannon divergence of their maps, is less than half as far "
        "as two heads are on average, documents resampled, and Wilson's interval over heads is added; and that minus "
        "the same share among random heads: points drawn from a normal distribution with the covariance of the heads' "
        "own coordinates, which repeat nothing."
    ),
    needs="the distances between heads",
    parts=(
        part(
            "K18.4",
            "the share of heads that have a double",
            LANDSCAPE.quantity(DOUBLES).unit,
            _with_double,
            over="heads",
        ),
        stored_part(
            "K18.3",
            "the share of heads that have a double minus that among random heads",
            LANDSCAPE,
            "doubles.excess",
        ),
    ),
    numbers=("landscape/doubles", "landscape/doubles.excess"),
    which="that have a double",
)


K11 = Claim(
    id="K11",
    title="A single [SEP] takes more weight",
    statement="Inputs of one sentence give their single [SEP] more weight than pairs give either of theirs.",
    paper=KOVALEVA,
    section="4.4",
    measure=(
        "Mean weight on the [SEP] that a head looks at most, with both paragraphs read as one segment, minus the "
        "same with the paragraphs apart; mean over heads and layers, documents resampled. The paper compares tasks, "
        "whose texts differ."
    ),
    needs="two [SEP] in a pair, which get twice the attention that chance gives, and text in pairs of paragraphs",
    parts=(
        stored_part(
            "K11.1",
            "the weight of a single [SEP] minus that of the larger of two",
            SEPARATORS,
            "single.gain",
            premises=(holds_separators(2), separator_attended),
        ),
    ),
    measures=("attention.sep", "attention.max"),
    numbers=("separators/base.last", "separators/base.uniform", "separators/single.gain"),
    nameless=OF_ALL,
)

CLAIMS = (K03, K10, K11, K13, K18)
