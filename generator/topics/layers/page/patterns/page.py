"""A model's page on patterns: shares of five classes of maps, and how much they depend on the cut-offs."""

from collections.abc import Iterator

import numpy as np

from generator.claims.evidence.evidence import Evidence
from generator.claims.missing import NotTestable
from generator.claims.published import published
from generator.corpora.files import TEXT
from generator.measures.patterns import NEAR, PATTERN, PATTERN_COLUMNS, PATTERNS
from generator.numbers.number import Grid, Number, alone
from generator.numbers.writing import PRECISION, listed, number, percent, pieces
from generator.pages import addresses
from generator.pages.blocks import Figure, Note, Section, Sections, Table, opening, present
from generator.pages.figures import embed
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.of_head import OfHead
from generator.pages.inline import Cell, Cells, Link, Name, Prose, prose
from generator.pages.links import list_of_claims, model_crumbs, to_head, to_method, to_reference, to_term
from generator.pages.studies.seen import patterns_seen
from generator.pages.studies.study_page import StudyPage
from generator.pages.studies.tables import NOTHING, cell, corpora, count, printed, stored, table
from generator.topics.layers.claims.patterns import in_commonest
from generator.topics.layers.derived.pattern_shares import heads_of_each, mean_shares
from generator.topics.layers.page.patterns.cutoffs import bars, moved, rows_of
from generator.topics.layers.page.patterns.maps import typical_maps

TITLE = "Patterns"
TOP = 3
"""How many heads are named for each pattern."""
CARD = 2
"""How many shares a card tells."""
PAPER = (
    ("vertical", "kovaleva.patterns.vertical", "maps labelled by hand"),
    ("vertical", "kovaleva.blog.vertical", "the least, among heads"),
    ("heterogeneous", "kovaleva.patterns.heterogeneous_mrpc", "the least, on MRPC"),
    ("heterogeneous", "kovaleva.patterns.heterogeneous_qqp", "the most, on QQP"),
)
"""Pattern, key of its published share, and the maps that the share is of."""


def there(atlas: Atlas) -> bool:
    """Whether there are documents to class."""
    return atlas.drawn_from_layers


def patterns_page(atlas: Atlas) -> Sections:
    """Shares by layer, text and head, how they depend on the cut-offs, and typical maps."""
    here = addresses.patterns(atlas.slug)
    seed = int(atlas.results.manifest.settings["seed"])
    documents = stored(atlas, "documents", corpus=atlas.corpus)
    whole = mean_shares(documents, seed)
    return Sections(
        title=TITLE,
        lead=f"Of all maps, one for each head and input, {_shares(whole)}. Measured on {atlas.text}.",
        card=f"Of all maps, {_shares(whole, CARD)}.",
        crumbs=model_crumbs(atlas.slug, atlas.results.manifest.model, here),
        sections=(
            classes(here),
            by_layer(atlas),
            by_text(atlas, seed, here),
            by_head(atlas, here),
            moved(atlas, documents, seed),
            *typical_maps(atlas, here),
            in_paper(whole, here),
        ),
    )


def classes(page: str) -> Section:
    """The five classes, who named them, and the rule by which maps are classed here."""
    return opening(
        prose(
            "{paper} sort attention maps into five classes: vertical (mainly to the special tokens), diagonal (mainly "
            "to the token itself and its neighbours), mixed (both at once), block (within one of two sentences), and "
            "heterogeneous, which is all others. They labelled about 400 maps by hand and trained a network on them; "
            "neither is released. Here a {rule} sorts every map by its attention to special tokens, to {near} and "
            "within the segment. Its cut-offs are ours and not the paper's; how much depends on them is shown below.",
            paper=to_reference("kovaleva2019", "Kovaleva et al. 2019", page),
            rule=to_method(PATTERN.name, "fixed rule", page),
            near=to_method(NEAR.name, "neighbours", page),
        )
    )


def pattern_line(atlas: Atlas, layer: int, head: int) -> str:
    """The shares of one head that are not zero, with their intervals."""
    found = [
        (name, atlas.estimates[column].of(layer, head)) for name, column in zip(PATTERNS, PATTERN_COLUMNS, strict=True)
    ]
    return ", ".join(f"{name} {percent(estimate)}" for name, estimate in found if estimate.value > 0)


def _shares(whole: Grid, most: int = len(PATTERNS)) -> str:
    """The largest shares with their patterns, at most so many."""
    order = sorted(range(len(PATTERNS)), key=lambda at: -whole.value[at])[:most]
    parts = [f"{_share(whole.at(at))} {'are ' * (place == 0)}{PATTERNS[at]}" for place, at in enumerate(order)]
    return listed(parts)


def _share(estimate: Number) -> str:
    """A share with its interval, or a word about why it has none: no document differs from another.

    >>> _share(Number(0.0278, 0.0278, 0.0278, 70)), _share(Number(0.0, 0.0, 0.0, 70))
    ('2.8 % (in every document)', '0 %')
    """
    return percent(estimate) + " (in every document)" * bool(
        0 < estimate.value < 1 and estimate.high - estimate.low <= PRECISION
    )


def by_layer(atlas: Atlas) -> Section:
    """Shares of the maps of each layer's heads."""
    estimates = [atlas.estimates[name].layers for name in PATTERN_COLUMNS]
    whole = Number(*(np.stack(parts, axis=-1) for parts in zip(*estimates, strict=True)))
    names = [str(layer) for layer in range(1, len(whole.value) + 1)]
    figure = Figure(
        id="layers",
        label=patterns_seen(whole, PATTERNS),
        kinds=("patterns",),
        data=embed({"shared": {}, "views": [bars(atlas, whole, names, "layer", "layer")]}),
        caption=(
            "Every bar is a layer: the share of the maps of its heads that have each pattern, mean over documents. "
            f"Intervals, 95 % over documents, are in the table. Measured on {atlas.text}."
        ),
        table=Table(("layer", *PATTERNS), tuple(rows_of(whole, [(name,) for name in names]))),
    )
    return Section("by-layer", "Layer by layer", (figure,))


def by_text(atlas: Atlas, seed: int, page: str) -> Section:
    """The shares of the whole model on every corpus it read, and the pattern of uniform attention on the same text."""

    def rows() -> Iterator[Cells]:
        documents = atlas.results.documents
        for corpus in corpora(documents, atlas.results.manifest.of(TEXT)):
            own = documents[documents["corpus"] == corpus]
            read = own["document"].nunique()
            heads = stored(atlas, "heads", corpus=corpus).drop_duplicates("measure")
            uniform = heads.set_index("measure")["uniform"]
            yield Name(corpus), *_entries(mean_shares(own, seed)), count(read)
            yield (
                Cell("uniform attention", note=corpus),
                *(number(uniform[name]) for name in PATTERN_COLUMNS),
                count(read),
            )

    note = Note(
        "Means over heads, below them 95 % intervals over documents. An input of one segment cannot have a block; "
        "uniform attention counts as a block where one of two segments holds nearly the whole input."
    )
    found = table("Shares by text", ("text", *PATTERNS, to_term("n", "n, documents", page)), rows())
    return Section("by-text", "By text", (found, note))


def _entries(shares: Grid) -> Iterator[Cell]:
    for at in range(len(shares.value)):
        yield cell(shares.at(at))


def _own(atlas: Atlas) -> str | None:
    """A sentence on how often heads have their commonest pattern, computed as in the claim about it; None if that is
    not testable.
    """
    try:
        found = in_commonest(Evidence(atlas.results))
    except NotTestable:
        return None
    return (
        f"On average {percent(found)} of a head's maps have the pattern that is commonest for that head (n {found.n} "
        f"documents). Heads that never change would reach 100 %, heads that take all patterns equally often "
        f"{percent(alone(1 / len(PATTERNS)))}."
    )


def by_head(atlas: Atlas, page: str) -> Section:
    """What share of a head's maps has one pattern, and the heads that have most of each pattern."""
    shares = atlas.stacked("value", PATTERN_COLUMNS)
    often = heads_of_each(shares)

    def rows() -> Iterator[Cells]:
        for at, name in enumerate(PATTERNS):
            own = shares[..., at].ravel()
            order = [int(place) for place in np.argsort(-own, kind="stable")[:TOP] if own[place] > 0]
            named = [_head(atlas, atlas.places[place], PATTERN_COLUMNS[at], page) for place in order]
            yield name, count(often[at]), *named, *[NOTHING] * (TOP - len(named))

    places = ("highest share", "second", "third")
    heads = f"commonest in how many of {len(atlas.places)} heads"
    found = table("Heads by pattern", ("pattern", heads, *places), rows())
    return Section("by-head", "Head by head", present(_own(atlas), found))


def _head(atlas: Atlas, place: tuple[int, int], column: str, page: str) -> Cell:
    link = to_head(atlas.slug, *place, page)
    share, ends = pieces(atlas.estimates[column].of(*place))
    return Cell(link.text, link.href, share if ends == NOTHING.text else f"{share}, {ends}")


def in_paper(whole: Grid, page: str) -> Section:
    """The published shares beside those of this model."""
    ours = dict(zip(PATTERNS, _entries(whole), strict=True))
    rows = [
        (name, printed(published(key), "kovaleva2019", page), of, published(key).place, ours[name])
        for name, key, of in PAPER
    ]
    note = Note(
        "The paper counts maps of BERT-base, fine-tuned on each task, as its network sorts them. Here the model is "
        "taken as it is, the text is another one, and a fixed rule sorts. A difference may come from any of these. "
        "Claims about these shares:"
    )
    claims = list_of_claims((), page, [key for _, key, _ in PAPER])
    found = table("Published shares", ("pattern", "published", "of what", "where", "here, all maps"), rows)
    return Section("published", "What the paper reports", (found, note, claims))


PAGE = StudyPage(TITLE, addresses.patterns, there, patterns_page)


class OfPatterns(OfHead):
    """What the patterns of its maps say of a head."""

    def numbers(self, layer: int, head: int, page: str) -> Prose:
        """How many of its maps have each pattern."""
        return prose(
            "Its maps by {pattern}: {shares}; see {patterns}.",
            pattern=to_method(PATTERN.name, "pattern", page),
            shares=pattern_line(self.atlas, layer, head),
            patterns=Link("all heads", addresses.relative(addresses.patterns(self.atlas.slug), page)),
        )


OF_HEADS = OfPatterns
