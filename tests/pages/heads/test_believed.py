"""Whether a head's weights can be believed: weight against norm, and gradients."""

import math

import pytest

from generator.pages.heads.studies import AGREE, CLASSES, LITTLE, HeadStudies
from generator.pages.heads.summary import ORDINARY
from generator.topics.vectors.page import OfGradients
from tests.pages.heads.tiny import PLACES, SECOND, TEXT, atlas_of, fact

EPSILON = 1e-6
PAGE = "models/tiny/heads/1-1/"
WORDS = {name: words for words, name in CLASSES} | {"sep": "[SEP]", "other": ORDINARY}
"""The vocabulary of the samples has a separator."""


@pytest.mark.parametrize(
    ("moved", "told"),
    [
        (0.0, False),
        (AGREE - 0.01, False),
        (AGREE, True),
        (0.5, True),
    ],
)
@pytest.mark.parametrize("at", range(3))
def test_weight_and_norm_are_told_of_the_class_in_which_they_differ_most(tmp_path, moved, told, at):
    """From any class to the last; only the head it is true of says so."""
    shares = [0.0, 0.0, 0.0, 1.0 - moved]
    shares[at] = moved
    even = (0.0, 0.0, 0.0, 1.0)
    atlas = atlas_of(tmp_path, dict.fromkeys(PLACES, even) | {(2, 1): tuple(shares)}, dict.fromkeys(PLACES, even))
    text = atlas.summaries[2, 1].text
    assert ("But only 0 % of its output" in text) is told
    assert "its output" not in HeadStudies(atlas).looks(2, 1), "it is told once"
    if told:
        words = WORDS[CLASSES[at][1]]
        assert f" goes to {words}" in text
        assert text.endswith(f"But only 0 % of its output comes from {'there' if moved == 0.5 else words}.")
    assert "output" not in HeadStudies(atlas).looks(1, 2)


def test_what_the_summary_says_of_its_target_is_not_said_again(tmp_path):
    """The summary has the share by norm where that is less than half of the share of attention."""
    weight, lesser, greater = (0.8, 0.0, 0.0, 0.2), (0.39, 0.0, 0.0, 0.61), (0.41, 0.0, 0.0, 0.59)
    norms = {(1, 1): lesser, (1, 2): lesser, (1, 3): greater}
    atlas = atlas_of(tmp_path, dict.fromkeys(norms, weight), norms)
    studies = HeadStudies(atlas)
    assert atlas.summaries[1, 1].text.endswith("But only 39 % of its output comes from there.")
    others = "By kind of token, 20 % of its attention goes to ordinary words."
    assert studies.looks(1, 1) == others
    assert studies.looks(1, 3) == f"{others} Of its output, 41 % comes from [CLS]."


def test_what_a_head_writes_more_from_than_it_looks_at_is_told_where_no_class_gets_clearly_more_attention(tmp_path):
    weight, norm = (0.3, 0.3, 0.3, 0.1), (0.2, 0.2, 0.2, 0.4)
    text = HeadStudies(atlas_of(tmp_path, {(1, 1): weight}, {(1, 1): norm})).looks(1, 1)
    assert text.endswith(f"It takes more from {WORDS[CLASSES[3][1]]} than its arcs show: 40 % of its output.")


@pytest.mark.parametrize("edge", [EPSILON, -EPSILON])
def test_what_the_sentence_above_does_not_name_is_listed_from_a_twentieth_on(tmp_path, edge):
    weight = {(1, 1): (0.8, 0.15 - edge, LITTLE + edge, 0.0)}
    text = HeadStudies(atlas_of(tmp_path, weight)).looks(1, 1)
    assert "[CLS]" not in text, "it is the head's name"
    assert ("to periods and commas" in text) == (edge > 0)
    assert "of its attention goes to [SEP]" in text


@pytest.mark.parametrize(("norm", "adds"), [(0.24, True), (0.26, False)])
def test_attention_adds_little_from_half_of_its_weight_down(tmp_path, norm, adds):
    atlas = atlas_of(tmp_path, {(1, 1): (0.48, 0.0, 0.0, 0.52)}, {(1, 1): (norm - 0.005, 0.0, 0.0, 1.005 - norm)})
    assert ("But only " in atlas.summaries[1, 1].text) is adds
    assert ("its output" in HeadStudies(atlas).looks(1, 1)) is not adds, "where the two differ, one of them tells it"


def test_without_norms_only_the_weights_are_known_and_one_undefined_class_is_passed_over(tmp_path):
    nan = math.nan
    weight = {(1, 1): (nan, 0.5, 0.0, 0.5)}
    atlas = atlas_of(tmp_path, weight, {(1, 1): (nan, 0.3, 0.0, 0.7), (1, 2): (nan, nan, nan, nan)})
    assert "Of its output, 30 % comes from [SEP]." in HeadStudies(atlas).looks(1, 1)
    assert HeadStudies(atlas).looks(1, 2).endswith("Its output cannot be seen: only its weights are stored.")


@pytest.mark.parametrize("most", range(len(CLASSES)))
def test_the_class_of_the_largest_gradient_is_named_for_its_own_head(tmp_path, most):
    facts = []
    for at, (_, name) in enumerate(CLASSES):
        facts += [
            fact("gradient", f"gradient.{name}", (2, 3), 0.9 if at == most else 0.1),
            fact("gradient", f"gradient.{name}", (1, 1), 0.9 if at == (most + 1) % 4 else 0.1),
            fact("gradient", f"product.{name}", (2, 3), 5.0 if at == (most + 1) % 4 else 0.0),
            fact("words", f"gradient.{name}", (2, 3), 5.0 if at == (most + 2) % 4 else 0.0),
        ]
    gradients = OfGradients(atlas_of(tmp_path, head_facts=facts))
    told = "The loss on masked words changes most with small changes of its attention to {}."
    assert gradients.numbers(2, 3, PAGE) == told.format(WORDS[CLASSES[most][1]])
    assert gradients.numbers(1, 1, PAGE) == told.format(WORDS[CLASSES[(most + 1) % 4][1]])
    assert gradients.numbers(1, 2, PAGE) == ""


def test_an_undefined_gradient_is_passed_over(tmp_path):
    values = (math.nan, 0.1, 0.9, 0.2)
    facts = [
        fact("gradient", f"gradient.{name}", (1, 1), value) for (_, name), value in zip(CLASSES, values, strict=True)
    ]
    told = OfGradients(atlas_of(tmp_path, head_facts=facts)).numbers(1, 1, PAGE)
    assert told.endswith(" its attention to periods and commas.")


@pytest.mark.parametrize(("second", "named"), [(0.69, True), (0.71, False)])
def test_no_class_is_named_if_none_surely_has_the_largest_gradient(tmp_path, second, named):
    """Intervals reach 0.1 to both sides."""
    values = (0.1, second, 0.9, 0.1)
    facts = [
        fact("gradient", f"gradient.{name}", (1, 1), value) for (_, name), value in zip(CLASSES, values, strict=True)
    ]
    assert bool(OfGradients(atlas_of(tmp_path, head_facts=facts)).numbers(1, 1, PAGE)) is named


@pytest.mark.parametrize("order", [1, -1], ids=["shown first", "shown last"])
def test_gradients_are_those_of_the_text_that_is_shown(tmp_path, order):
    facts = [
        fact("gradient", f"gradient.{name}", (1, 1), float(at == largest), corpus)
        for corpus, largest in ((TEXT, 1), (SECOND, 3))
        for at, (_, name) in enumerate(CLASSES)
    ]
    gradients = OfGradients(atlas_of(tmp_path, head_facts=facts[::order]))
    told = gradients.numbers(1, 1, PAGE)
    assert told.endswith(" its attention to [SEP].")
