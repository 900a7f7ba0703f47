"""The sentences on a head's page: of the project's own treebank, one in which the head is right and one in which it is
wrong; and how often it is.
"""

from dataclasses import replace

import numpy as np
import pytest

from generator.corpora import treebank
from generator.corpora.catalogue import TREEBANK
from generator.corpora.treebank import read_treebank
from generator.numbers.number import Number
from generator.pages.heads.pick import SHORTEST, Picks, of_arrows
from generator.pages.heads.specialists import Specialty
from generator.pages.inline import inline, plain
from generator.studies.halves import reported
from generator.studies.syntax.predictions import DIRECTIONS
from tests.pages.heads.tiny import HEADS, LAYERS, atlas_of
from tests.results.samples import corpus_of

OURS = read_treebank(TREEBANK.name, TREEBANK.paths)
RELATION = "obj"
SEED = 0
"""That of the stored results."""


def stored(strong: dict[str, dict[int, int]], place: tuple[int, int]) -> dict[str, list[dict]]:
    """Predictions and strong arrows: those of one head, by sentence, word and the word it looks at; all others are weak
    and right.
    """
    rows, flags = [], []
    for sentence in OURS.items:
        gold = np.array([word.head - 1 for word in sentence.words])
        picked = np.broadcast_to(gold, (len(DIRECTIONS), LAYERS, HEADS, len(gold))).copy()
        marked = np.zeros((LAYERS, HEADS, len(gold)), bool)
        for word, to in strong.get(sentence.id, {}).items():
            picked[0, place[0] - 1, place[1] - 1, word] = to
            marked[place[0] - 1, place[1] - 1, word] = True
        of = {"corpus": TREEBANK.name, "sentence": sentence.id}
        relations = [word.relation for word in sentence.words]
        rows.append(
            of | {"gold": gold, "relations": relations, "marked": [False] * len(gold), "predicted": picked.ravel()}
        )
        flags.append(of | {"strong": marked.ravel()})
    return {"predictions": rows, "arrows": flags}


def finds(direction: str) -> Specialty:
    """A head's specialty: this relation in this direction."""
    bare = Specialty("relation", "", "", "", "", None, (0, 0.0), ())  # type: ignore[arg-type]
    return bare._replace(relation=RELATION, direction=direction)


def shown(half: bool) -> list[tuple[treebank.Sentence, int, int]]:
    """Sentences of one half with one word of the relation, that word and its head, the shortest first."""
    names = [one.id for one in OURS.items]
    of = zip(OURS.items, reported(names, SEED), strict=True)
    some = [one for one, is_reported in of if is_reported == half and len(one.words) >= SHORTEST]
    some = [one for one in some if sum(word.relation == RELATION for word in one.words) == 1]
    found = []
    for one in sorted(some, key=lambda one: (len(one.words), one.id)):
        (at,) = (at for at, word in enumerate(one.words) if word.relation == RELATION)
        found.append((one, at, one.words[at].head - 1))
    return found


def atlas(place, strong, sha256=OURS.sha256, **left_out):
    made = atlas_of(place, **stored(strong, (2, 3)) | left_out)
    corpora = (*made.results.manifest.corpora, replace(corpus_of(treebank.TREEBANK, TREEBANK.name), sha256=sha256))
    return replace(made, results=replace(made.results, manifest=replace(made.results.manifest, corpora=corpora)))


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_one_sentence_is_right_and_one_is_wrong_and_they_are_the_shortest_of_the_half_that_reports(tmp_path, direction):
    (_, first, second, third, *_), other = shown(half=True), shown(half=False)[0]
    strong = {}
    for one, at, head in (second, third, other):  # the verb of a link looks back at its object
        strong[one.id] = {at: head} if direction == DIRECTIONS[0] else {head: at}
    wrong, at, head = first
    strong[wrong.id] = {head: at} if direction == DIRECTIONS[0] else {at: head}
    told = [inline(one) for one in Picks(atlas(tmp_path, strong)).of(finds(direction), 2, 3)]
    assert [one.partition(":")[0] for one in told] == [
        "Right, a link of direct objects",
        "Wrong, no link of direct objects",
    ]
    for text, (sentence, at, head), turned in zip(told, (second, first), (False, True), strict=True):
        forms = [sentence.words[word].form for word in (at, head)]
        for form in forms:
            assert f'<mark class="fg-word">{form}</mark>' in text
        looks = forms if turned == (direction != DIRECTIONS[0]) else forms[::-1]
        assert text.endswith("Of all words, \u201c{}\u201d looks most at \u201c{}\u201d.".format(*looks))


def test_weak_arrows_and_arrows_of_other_heads_are_not_shown(tmp_path):
    (one, at, head), *_ = shown(half=True)
    picks = Picks(atlas(tmp_path, {one.id: {at: head}}))
    assert len(picks.of(finds(DIRECTIONS[0]), 2, 3)) == 1
    assert picks.of(finds(DIRECTIONS[0]), 2, 2) == ()
    assert picks.of(finds(DIRECTIONS[0])._replace(relation=""), 2, 3) == ()


@pytest.mark.parametrize("without", ["predictions", "arrows", "the same text", "all"])
def test_nothing_is_shown_of_results_that_lack_it_or_of_another_treebank_of_this_name(tmp_path, without):
    (one, at, head), *_ = shown(half=True)
    tables = (
        {}
        if without == "the same text"
        else {name: [] for name in ("predictions", "arrows") if without in (name, "all")}
    )
    made = atlas(tmp_path, {one.id: {at: head}}, "other" if without == "the same text" else OURS.sha256, **tables)
    assert Picks(made).of(finds(DIRECTIONS[0]), 2, 3) == ()


def of_head(*numbers: tuple[float, float, float], n: int = 4326) -> str:
    """What is said of a head whose share of right arrows, share at the offset and lead are these."""
    return plain(of_arrows(finds(DIRECTIONS[0])._replace(arrows=tuple(Number(*one, n) for one in numbers)), ""))


def test_the_sentence_says_how_many_strong_arrows_are_of_the_relation_beside_the_best_offset():
    ends = (0.06, 0.054, 0.067), (0.027, 0.02, 0.03)
    told = "Of its 4,326 strong arrows, 6.0 % (5.4 to 6.7) are links of direct objects"
    assert of_head(*ends, (0.033, 0.02, 0.04)) == f"{told}; at the best offset, 2.7 % would be."
    assert of_head(*ends, (0.033, -0.02, 0.04)) == f"{told}, not surely more than 2.7 % at the best offset."


def test_there_is_no_sentence_without_strong_arrows_or_if_they_were_not_counted():
    none = (np.nan,) * 3
    assert of_head(none, none, none, n=0) == ""
    assert of_head() == ""
    assert of_arrows(None, "") == ""


def test_a_hostile_relation_is_shown_as_text():
    hostile = finds(DIRECTIONS[0])._replace(relation="<b>{0}</b>", arrows=(Number(0.5, 0.4, 0.6, 9),) * 3)
    assert "links of &lt;b&gt;{0}&lt;/b&gt;; at" in inline(of_arrows(hostile, ""))
