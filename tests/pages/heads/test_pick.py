"""The sentence on a head's page: of the project's own treebank, and one in which the head is right."""

from dataclasses import replace

import numpy as np
import pytest

from generator.corpora import treebank
from generator.corpora.catalogue import TREEBANK
from generator.corpora.treebank import read_treebank
from generator.pages.heads.pick import SHORTEST, Picks
from generator.pages.heads.specialists import Specialty
from generator.pages.inline import inline
from generator.studies.syntax.predictions import DIRECTIONS
from tests.pages.heads.tiny import HEADS, LAYERS, atlas_of
from tests.results.samples import corpus_of

OURS = read_treebank(TREEBANK.name, TREEBANK.paths)
RELATION = "obj"


def right_in(name: str, direction: int, place: tuple[int, int]) -> list[dict]:
    """Predictions that are wrong but for the words of a relation, in one sentence, direction and head."""
    rows = []
    for sentence in OURS.items:
        gold = np.array([word.head - 1 for word in sentence.words])
        relations = [word.relation for word in sentence.words]
        picked = np.full((len(DIRECTIONS), LAYERS, HEADS, len(gold)), -2)
        if sentence.id == name:
            picked[direction, place[0] - 1, place[1] - 1] = np.where(np.array(relations) == RELATION, gold, -2)
        rows.append(
            {"corpus": TREEBANK.name, "sentence": sentence.id, "gold": gold, "relations": relations}
            | {"marked": [False] * len(gold), "predicted": picked.ravel()}
        )
    return rows


def finds(direction: str) -> Specialty:
    """A head's specialty: this relation in this direction."""
    bare = Specialty("relation", "", "", "", "", None, (0, 0.0), ())  # type: ignore[arg-type]
    return bare._replace(relation=RELATION, direction=direction)


@pytest.fixture(scope="module")
def sentence() -> treebank.Sentence:
    """Gives a sentence with one word of the relation that is not the shortest."""
    some = [one for one in OURS.items if sum(word.relation == RELATION for word in one.words) == 1]
    return sorted((one for one in some if len(one.words) > SHORTEST + 3), key=lambda one: one.id)[0]


def atlas(place, rows, sha256=OURS.sha256):
    made = atlas_of(place, predictions=rows)
    corpora = (*made.results.manifest.corpora, replace(corpus_of(treebank.TREEBANK, TREEBANK.name), sha256=sha256))
    return replace(made, results=replace(made.results, manifest=replace(made.results.manifest, corpora=corpora)))


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_sentence_is_one_in_which_this_head_is_right(tmp_path, sentence, direction):
    picks = Picks(atlas(tmp_path, right_in(sentence.id, DIRECTIONS.index(direction), (2, 3))))
    told = inline(picks.of(finds(direction), 2, 3))
    (word,) = (one for one in sentence.words if one.relation == RELATION)
    head = sentence.words[word.head - 1].form
    for form in (word.form, head):
        assert f'<mark class="fg-word">{form}</mark>' in told
    looks = (word.form, head) if direction == DIRECTIONS[0] else (head, word.form)
    assert told.endswith("Of all words, \u201c{}\u201d looks most at \u201c{}\u201d.".format(*looks))
    assert picks.of(finds(direction), 2, 2) is None
    assert picks.of(finds(DIRECTIONS[1 - DIRECTIONS.index(direction)]), 2, 3) is None


def test_words_of_another_treebank_of_this_name_are_not_shown(tmp_path, sentence):
    picks = Picks(atlas(tmp_path, right_in(sentence.id, 0, (2, 3)), sha256="other"))
    assert picks.of(finds(DIRECTIONS[0]), 2, 3) is None
