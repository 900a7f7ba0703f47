"""A head at work: which sentences its page shows, what is in colour, and what the captions say."""

from dataclasses import replace

import numpy as np
import pytest

from generator.charts.static.arcs import FAINT
from generator.corpora import treebank
from generator.corpora.catalogue import TREEBANK
from generator.corpora.classes import CLASS_OF, TokenClass
from generator.home import TEMPLATES
from generator.numbers.pieces import readable
from generator.pages.blocks import Sections, opening
from generator.pages.heads.arcs import ALL, APART, FAN, MOST, _named, arcs_of, drawn_of
from generator.pages.heads.aside import Aside, Reason
from generator.pages.heads.atlas import Atlas, Example
from generator.pages.heads.drawn import SPECIAL, UNUSUAL, beside
from generator.pages.heads.naming.specialty import Specialty
from generator.pages.inline import Link, inline, plain
from generator.pages.renderer import Renderer
from generator.results.store import Results
from generator.topics.mentions.page.naming import UNLINKED
from generator.topics.relations.derived.arcs import MISSED, OTHER, RIGHT
from generator.topics.relations.page.trees import trees
from tests.pages.heads.tiny import atlas_of
from tests.results.samples import corpus_of
from tests.site.project import ROOT
from tests.topics.relations.page.test_trees import baker

TOKENS = ["[CLS]", "the", "cat", "sat", ".", "[SEP]"]
CLASSES = [CLASS_OF.get(token, TokenClass.OTHER) for token in TOKENS]
NAME, SENTENCE = next((name, tree) for name, tree in trees().items() if len(tree.words) == 8)
MOSTLY = "Of the tokens drawn, \u201csat\u201d gets most, 14 %."
FORMS = [word.form for word in SENTENCE.words]


def row(kind: str, word: int, pick: int, to: int, weight: float = 0.6, rest: float = 0.1) -> dict:
    """A stored sentence in which `word` gives `pick` a weight, and special tokens get the `rest`."""
    weights = np.full((8, 8), 0.02, np.float32)
    weights[word] = (1 - rest - weight) / 7
    weights[word, pick] = weight
    of = {"corpus": TREEBANK.name, "relation": "obj", "direction": "dep->head", "layer": 2, "head": 3}
    return of | {"kind": kind, "sentence": NAME, "word": word, "to": to, "weights": weights.ravel()}


def with_arcs(place, rows, sha256=None, relation="obj") -> Atlas:
    """Results of which head 2-3 is named for a relation and has these rows."""
    made = atlas_of(place, arcs=rows)
    corpora = (replace(corpus_of(treebank.TREEBANK, TREEBANK.name), sha256=sha256 or TREEBANK.checksum),)
    manifest = replace(made.results.manifest, corpora=(*made.results.manifest.corpora, *corpora))
    made = Atlas(replace(made.results, manifest=manifest))
    kind = "relation" if relation else "antecedent"
    bare = Specialty(kind, "finds direct objects", "", "", "", None, (0, 0.0), ())  # type: ignore[arg-type]
    summary = made.summaries[2, 3]._replace(
        kind=kind, found=bare._replace(relation=relation, direction="dep->head" * bool(relation))
    )
    made.__dict__["summaries"] = {**made.summaries, (2, 3): summary}
    return made


def with_examples(place, weights, looks=(), kind="next") -> Atlas:
    made = atlas_of(place)
    summary = made.summaries[1, 1]._replace(kind=kind, first="next", title="looks at the next token", looks=looks)
    made.__dict__["summaries"] = {**made.summaries, (1, 1): summary}
    made.__dict__["examples"] = {at: [] for at in made.places} | {
        (1, 1): [Example("t", TOKENS, weight) for weight in weights]
    }
    return made


def test_a_head_that_finds_a_relation_shows_where_it_is_right_and_where_not(tmp_path):
    rows = [row(RIGHT, 4, 2, 2), row(MISSED, 4, 1, 2), row(OTHER, 5, 3, 3)]
    shown = arcs_of(with_arcs(tmp_path, rows), 2, 3).sentences
    quoted = [f"\u201c{form}\u201d" for form in FORMS]
    assert [plain(one.seen) for one in shown] == [
        f"Right: {quoted[4]} gives {quoted[2]} 60 % of its attention.",
        f"Missed: {quoted[4]} looks most at {quoted[1]}, not at {quoted[2]}.",
        f"Something else: {quoted[5]} gives {quoted[3]} 60 %, which is no link of direct objects.",
    ]
    colours = ["--fg-kind-relation" in one.drawn for one in shown]
    assert colours == [True, False, False]
    assert all("--fg-kind-broad" in one.drawn for one in shown[1:])


def test_the_share_of_special_tokens_is_said_from_a_twentieth_on(tmp_path):
    for at, (rest, said) in enumerate(((SPECIAL + 0.01, True), (SPECIAL - 0.01, False))):
        (one,) = arcs_of(with_arcs(tmp_path / str(at), [row(RIGHT, 4, 2, 2, rest=rest)]), 2, 3).sentences
        assert ("not drawn" in plain(one.caption)) == said


@pytest.mark.parametrize("without", ["the same text", "rows", "the relation"])
def test_without_its_own_sentences_it_shows_the_examples_if_there_are_any(tmp_path, without):
    rows = [] if without == "rows" else [row(RIGHT, 4, 2, 2)]
    made = with_arcs(
        tmp_path, rows, "other" if without == "the same text" else None, "" if without == "the relation" else "obj"
    )
    assert arcs_of(made, 2, 3) is None
    made.__dict__["examples"] = {(2, 3): [Example("t", TOKENS, np.full((6, 6), 1 / 6))]}
    (shown,) = arcs_of(made, 2, 3).sentences
    told = "No sentence with direct objects is kept of this head, so these arcs do not show what it finds."
    assert plain(shown.seen) == (UNLINKED if without == "the relation" else told)


@pytest.mark.parametrize(
    ("column", "pairs"),
    [
        ("attention.next", {(at, at + 1) for at in range(5)}),
        ("attention.previous", {(at, at - 1) for at in range(1, 6)}),
        ("attention.self", {(at, at) for at in range(6)}),
        ("attention.cls", {(at, 0) for at in range(6)}),
        ("attention.sep", {(at, 5) for at in range(6)}),
        ("attention.punctuation", {(at, 4) for at in range(6)}),
        ("offset.-2", {(at, at - 2) for at in range(2, 6)}),
    ],
)
def test_what_a_measure_counts_is_in_colour(column, pairs):
    assert set(zip(*(at.tolist() for at in _named([column], CLASSES).nonzero()), strict=True)) == pairs


def test_example_sentences_have_the_attention_in_colour_of_which_the_name_speaks(tmp_path):
    weights = np.full((6, 6), 0.02)
    weights[:, 0], weights[range(5), range(1, 6)] = 0.2, 0.7
    shown = arcs_of(with_examples(tmp_path / "a", [weights] * (MOST + 1), ("attention.next",)), 1, 1).sentences
    assert len(shown) == MOST
    told = (0.7 * 3 + 0) / 4  # of the four words three have a next word that is drawn
    seen = f"In colour: the next token, {told:.0%} of its attention in this sentence".replace("%", " %")
    assert plain(shown[0].seen) == f"{seen}."
    assert "goes to [CLS] and [SEP], not drawn" in plain(shown[0].caption)
    assert ">[CLS]<" not in shown[0].drawn
    assert shown[0].drawn.count('class="fg-tip"') == 3
    weights[:, 0] = 0.4
    made = with_examples(tmp_path / "b", [weights], ("attention.cls",))
    special = arcs_of(made, 1, 1).sentences[0]
    usual = (
        f"40% of its attention in this sentence ({made.estimates['attention.cls'].value[0, 0]:.0%} in whole documents)."
    )
    assert plain(special.seen).endswith(usual.replace("%", " %"))
    assert ">[CLS]<" in special.drawn, "a head that is named for [CLS] shows it"
    assert "not drawn" not in plain(special.caption)


def test_a_special_token_is_called_as_in_the_sentence(tmp_path):
    made = with_examples(tmp_path, [np.full((6, 6), 1 / 6)], ("attention.cls",), kind="none")
    made.__dict__["special_tokens"] = {"begin": "<s>"}
    (shown,) = arcs_of(made, 1, 1).sentences
    assert plain(shown.seen).startswith("In colour: <s>, ")


def test_special_tokens_are_drawn_if_nothing_would_be_seen_without(tmp_path):
    weights = np.full((6, 6), 0.02)
    weights[:, 0] = 0.9
    (shown,) = arcs_of(with_examples(tmp_path, [weights], kind="cost"), 1, 1).sentences
    assert ">[CLS]<" in shown.drawn
    assert "not drawn" not in plain(shown.caption)


def test_a_head_that_looks_everywhere_has_no_picture(tmp_path):
    even = np.full((6, 6), 0.09)
    assert arcs_of(with_examples(tmp_path / "a", [even]), 1, 1) is None
    assert arcs_of(with_examples(tmp_path / "b", [np.full((6, 6), 0.11)]), 1, 1) is not None


def test_each_sentence_leads_to_the_next_and_the_last_to_the_first(tmp_path):
    rows = [row(RIGHT, 4, 2, 2), row(MISSED, 4, 1, 2), row(OTHER, 5, 3, 3)]
    shown = arcs_of(with_arcs(tmp_path / "a", rows), 2, 3).sentences
    ids = [one.id for one in shown]
    assert len({*ids}) == 3
    for at, one in enumerate(shown):
        assert [step.href for step in one.steps if isinstance(step, Link)] == [
            f"#{ids[at - 1]}",
            f"#{ids[(at + 1) % 3]}",
        ]
    assert arcs_of(with_arcs(tmp_path / "b", rows[:1]), 2, 3).sentences[0].steps == ()


def test_each_of_several_targets_has_its_colour_and_its_share(tmp_path):
    weights = np.full((6, 6), 0.02)
    weights[:, 0], weights[:, 5] = 0.5, 0.3
    (shown,) = arcs_of(with_examples(tmp_path, [weights], ("attention.cls", "attention.sep"), "none"), 1, 1).sentences
    told = plain(shown.seen)
    assert told.startswith("In colour: [CLS], 50 % of its attention in this sentence")
    assert "; [SEP], 30 %" in told
    of = [shown.drawn.count(f'class="fg-hue" style="--hue:var(--fg-kind-{kind})"') for kind in ("begin", "separator")]
    assert of == [5, 5], "from each other token"


def test_a_hostile_relation_and_token_are_text(tmp_path):
    name = "<b>{0}</b>"
    rows = [row(OTHER, 5, 3, 3) | {"relation": name}]
    (one,) = arcs_of(with_arcs(tmp_path / "a", rows, relation=name), 2, 3).sentences
    assert "&lt;b&gt;{0}&lt;/b&gt;" in inline(one.seen)
    weights = np.full((6, 6), 0.5)
    made = with_examples(tmp_path / "b", [weights], ("attention.next",))
    made.examples[1, 1][0].tokens[1] = "<script>{1}"
    (shown,) = arcs_of(made, 1, 1).sentences
    assert "<script" not in shown.drawn
    assert "&lt;script&gt;{1}" in shown.drawn


def test_where_the_arcs_do_not_show_what_the_title_says_a_caption_says_why(tmp_path):
    weights = np.full((6, 6), 0.02)
    weights[1, 3] = 0.5
    shown = arcs_of(with_examples(tmp_path, [weights], kind="cost"), 1, 1)
    assert (shown.sentences[0].seen, shown.note) == (MOSTLY, ALL)


@pytest.mark.parametrize("kind", ["broad", "pattern"])
@pytest.mark.parametrize("to_sep", [0.04, 0.06, FAINT])
def test_a_head_that_spreads_its_attention_shows_what_its_middle_word_gives_to_each_other(tmp_path, kind, to_sep):
    """The first word looks at one word alone, the second evenly, the third and the fourth in between, in this order.
    [CLS] gets much; how much [SEP] gets decides whether it is drawn, said, or neither.
    """
    weights = np.full((6, 6), 1 / 6)
    weights[1], weights[3] = np.eye(6)[2], [0.5, 0.3, 0.1, 0.1, 0, 0]
    weights[4] = [0.25, 0.22, 0.22, 0.22, 0.09 - to_sep + 0.02, to_sep]
    (sentence,) = drawn_of(with_examples(tmp_path, [weights], kind=kind), 1, 1)
    arcs = {(arc.start, arc.end): arc.weight for arc in sentence.line.arcs}
    assert arcs == {(4, 0): 0.25, **{(4, at): 0.22 for at in (1, 2, 3)}, **({(4, 5): FAINT} if to_sep == FAINT else {})}
    assert sentence.line.dimmed == {0, *([5] if to_sep == FAINT else [])}
    told = "\u201c.\u201d gives each other word 22 % to 22 % of its attention; even attention would give 17 %."
    hidden = " Another 6 % goes to [SEP], not drawn." * (to_sep == 0.06)
    assert f"{sentence.seen} {sentence.caption}".strip() == f"{APART} " * (kind == "pattern") + told + hidden
    shown = arcs_of(with_examples(tmp_path / "again", [weights], kind=kind), 1, 1)
    assert shown.note == FAN
    assert shown.sentences[0].drawn.count("fg-arcs-from") == 1, "the word from which they come"
    assert shown.sentences[0].drawn.count('class="fg-tip"') == len(arcs)
    assert "fg-arcs-share" not in shown.sentences[0].drawn


def test_a_sentence_of_one_word_shows_nothing_of_how_widely_a_head_looks(tmp_path):
    made = with_examples(tmp_path, [np.full((6, 6), 1 / 6)], kind="broad")
    made.examples[1, 1][:] = [Example("t", ["[CLS]", "yes", "[SEP]"], np.full((3, 3), 1 / 3))]
    assert drawn_of(made, 1, 1) == []


def test_the_sentences_nearest_to_what_is_usual_of_the_head_stand_first(tmp_path):
    """The four classes get a quarter each in whole documents."""
    far, near, nearest = np.full((6, 6), 0.1), np.full((6, 6), 0.1), np.full((6, 6), 0.1)
    far[:, 0], near[:, 0], nearest[:, 0] = 0.5, 0.4, 0.35
    made = with_examples(tmp_path, [far, nearest, near], ("attention.cls",))
    told = [plain(one.seen).partition(" % of")[0].rpartition(" ")[2] for one in arcs_of(made, 1, 1).sentences]
    assert told == ["35", "40"]


@pytest.mark.parametrize(("further", "told"), [(UNUSUAL - 0.001, False), (UNUSUAL + 0.001, True)])
def test_attention_that_is_not_as_usual_is_told_beside_what_is(further, told):
    for share in (0.4 + further, 0.4 - further):
        assert (beside(share, 0.4) == " (40 % in whole documents)") is told
    assert beside(0.5, np.nan) == "", "nothing is known of what is usual"


@pytest.mark.parametrize(("kind", "shown"), [("none", True), ("window", False)])
def test_what_a_head_finds_without_a_name_is_shown_where_its_title_says_so(tmp_path, kind, shown):
    made = with_arcs(tmp_path, [row(RIGHT, 4, 2, 2)])
    aside = Aside("direct objects", "finds some", "", Reason("few", "few"), 30, "obj", "dep->head")
    summary = made.summaries[2, 3]._replace(kind=kind, found=None, aside=aside)
    made.__dict__["summaries"] = {**made.summaries, (2, 3): summary}
    assert (arcs_of(made, 2, 3) is not None) == shown


@pytest.mark.parametrize(("weight", "shown"), [(FAINT, 1), (FAINT - 0.001, 0)])
def test_an_arrow_that_nobody_would_see_is_no_example_of_something_else(tmp_path, weight, shown):
    """As mpnet 5-7: nearly all of the word's attention goes to special tokens."""
    rest = 1 - 8 * weight
    rows = [row(RIGHT, 4, 2, 2), row(OTHER, 5, 3, 3, weight=weight, rest=rest)]
    assert len(arcs_of(with_arcs(tmp_path, rows), 2, 3).sentences) == 1 + shown


def test_other_sites_show_the_first_sentence_of_a_head_that_is_named_for_a_find(tmp_path):
    found = arcs_of(with_arcs(tmp_path / "a", [row(RIGHT, 4, 2, 2), row(MISSED, 4, 1, 2)]), 2, 3)
    assert f"<title>{plain(found.sentences[0].seen)}</title>" in found.shared
    page = Sections("Head 2-3", "", (), (opening(found),))
    for site, files in (("https://example.org/", [("x/sentence.svg", found.shared)]), ("", [])):
        assert [*Renderer(TEMPLATES, site=site).page("x/", page).files] == files
    assert arcs_of(with_examples(tmp_path / "b", [np.full((6, 6), 0.2)], ("attention.cls",)), 1, 1).shared == ""


def test_only_rows_of_the_direction_that_is_named_are_shown(tmp_path):
    rows = [row(RIGHT, 4, 2, 2) | {"direction": "head<-dep"}]
    assert arcs_of(with_arcs(tmp_path, rows), 2, 3) is None


def test_a_relation_without_sentences_is_looked_for_in_maps_whose_trees_are_known(tmp_path):
    """The example sentence of the baker has objects; its pieces are those of a vocabulary that splits words."""
    made = with_arcs(tmp_path, [])
    made.__dict__["examples"] = {(2, 3): [baker(bread__sells=0.8)]}
    shown = arcs_of(made, 2, 3).sentences[0]
    assert plain(shown.seen) == "Right: \u201cbread\u201d gives \u201csells\u201d 80 % of its attention."


def test_special_tokens_are_drawn_where_they_get_more_in_the_sentence_than_what_names_the_head() -> None:
    """As all-mpnet-base-v2 11-11, which gives periods and commas most of its attention, but in short texts <s> more."""
    atlas, ends, seen = Atlas(Results.open(ROOT / "data/results/all-mpnet-base-v2")), {"<s>", "</s>"}, set()
    for place, summary in atlas.summaries.items():
        if summary.columns != ("attention.punctuation",):
            continue
        examples = {tuple(map(readable, one.tokens[1:-1])): one for one in atlas.examples[place]}
        for sentence in drawn_of(atlas, *place):
            shown = bool(ends & {*sentence.line.words})
            example = examples[tuple(word for word in sentence.line.words if word not in ends)]
            rows = example.weights[1:-1]
            marks = rows[:, np.isin(example.tokens, [".", ","])].sum(1).mean()
            assert shown == (rows[:, [0, -1]].sum(1).mean() > marks), (place, example.tokens)
            seen.add(shown)
    assert seen == {True, False}
