"""Whether a head's weights can be believed: weight against norm, and gradients."""

import math

import pytest

from generator.pages.heads.studies import AGREE, CLASSES, LITTLE, ORDINARY, HeadStudies
from tests.pages.heads.tiny import PLACES, SECOND, TEXT, atlas_of, fact

EPSILON = 1e-6
WORDS = {name: words for words, name in CLASSES} | {"sep": "[SEP]", "other": ORDINARY}
"""The vocabulary of the samples has a separator."""


@pytest.mark.parametrize(
    ("moved", "opens"),
    [
        (0.0, "It passes on what it looks at, so its arcs show what it works with."),
        (AGREE - 0.01, "It passes on what it looks at, so its arcs show what it works with."),
        (AGREE, "Of what it writes, 0 % comes from "),
        (0.5, "Of what it writes, 0 % comes from "),
    ],
)
@pytest.mark.parametrize("at", range(3))
def test_weight_and_norm_are_told_of_the_class_in_which_they_differ_most(tmp_path, moved, opens, at):
    """From any class to the last; only the head it is true of says so."""
    shares = [0.0, 0.0, 0.0, 1.0 - moved]
    shares[at] = moved
    even = (0.0, 0.0, 0.0, 1.0)
    atlas = atlas_of(tmp_path, dict.fromkeys(PLACES, even) | {(2, 1): tuple(shares)}, dict.fromkeys(PLACES, even))
    text = HeadStudies(atlas).looks(2, 1)
    assert opens in text
    if moved >= AGREE:
        assert f" goes to {WORDS[CLASSES[at][1]]}" in atlas.summaries[2, 1].text, "its share is told there"
        told = f"Of what it writes, 0 % comes from {WORDS[CLASSES[at][1]]}, so that attention adds little."
        assert text.partition(". ")[2] == told
    assert HeadStudies(atlas).looks(1, 2).partition(". ")[2].startswith("It passes on what it looks at")


def test_what_the_summary_says_of_its_target_is_not_said_again(tmp_path):
    """The summary has the share by norm where that is less than half of the share of attention."""
    weight, lesser, greater = (0.8, 0.0, 0.0, 0.2), (0.39, 0.0, 0.0, 0.61), (0.41, 0.0, 0.0, 0.59)
    facts = [fact("gradient", "gradient.cls", (1, 2), 0.9)]
    norms = {(1, 1): lesser, (1, 2): lesser, (1, 3): greater}
    atlas = atlas_of(tmp_path, dict.fromkeys(norms, weight), norms, head_facts=facts)
    studies = HeadStudies(atlas)
    assert atlas.summaries[1, 1].text.endswith("But only 39 % of what it writes comes from there.")
    others = "20 % of its attention goes to ordinary words."
    assert studies.looks(1, 1) == others
    assert studies.looks(1, 2).startswith(f"{others} For the same weight")
    assert studies.looks(1, 3) == f"{others} Of what it writes, 41 % comes from [CLS]."


def test_what_a_head_writes_more_from_than_it_looks_at_is_told_where_no_class_gets_clearly_more_attention(tmp_path):
    weight, norm = (0.3, 0.3, 0.3, 0.1), (0.2, 0.2, 0.2, 0.4)
    text = HeadStudies(atlas_of(tmp_path, {(1, 1): weight}, {(1, 1): norm})).looks(1, 1)
    told = f"Of what it writes, 40 % comes from {WORDS[CLASSES[3][1]]}"
    assert text.endswith(f"{told}, so it takes more from there than its arcs show.")


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
    assert ("so that attention adds little" in HeadStudies(atlas).looks(1, 1)) is adds


def test_without_norms_only_the_weights_are_known_and_one_undefined_class_is_passed_over(tmp_path):
    nan = math.nan
    weight = {(1, 1): (nan, 0.5, 0.0, 0.5)}
    atlas = atlas_of(tmp_path, weight, {(1, 1): (nan, 0.3, 0.0, 0.7), (1, 2): (nan, nan, nan, nan)})
    assert "Of what it writes, 30 % comes from [SEP]." in HeadStudies(atlas).looks(1, 1)
    assert HeadStudies(atlas).looks(1, 2).endswith("What it writes cannot be seen: only its weights are stored.")


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
    studies = HeadStudies(atlas_of(tmp_path, head_facts=facts))
    ending = " For the same weight, its attention to {} matters most when the model guesses hidden words."
    assert studies.looks(2, 3).endswith(ending.format(WORDS[CLASSES[most][1]]))
    assert studies.looks(1, 1).endswith(ending.format(WORDS[CLASSES[(most + 1) % 4][1]]))
    assert "guesses" not in studies.looks(1, 2)


def test_an_undefined_gradient_is_passed_over(tmp_path):
    values = (math.nan, 0.1, 0.9, 0.2)
    facts = [
        fact("gradient", f"gradient.{name}", (1, 1), value) for (_, name), value in zip(CLASSES, values, strict=True)
    ]
    looks = HeadStudies(atlas_of(tmp_path, head_facts=facts)).looks(1, 1)
    assert " its attention to periods and commas matters most " in looks


@pytest.mark.parametrize(("second", "named"), [(0.69, True), (0.71, False)])
def test_no_class_is_named_if_none_surely_has_the_largest_gradient(tmp_path, second, named):
    """Intervals reach 0.1 to both sides."""
    values = (0.1, second, 0.9, 0.1)
    facts = [
        fact("gradient", f"gradient.{name}", (1, 1), value) for (_, name), value in zip(CLASSES, values, strict=True)
    ]
    assert ("guesses" in HeadStudies(atlas_of(tmp_path, head_facts=facts)).looks(1, 1)) is named


@pytest.mark.parametrize("order", [1, -1], ids=["shown first", "shown last"])
def test_gradients_are_those_of_the_text_that_is_shown(tmp_path, order):
    facts = [
        fact("gradient", f"gradient.{name}", (1, 1), float(at == largest), corpus)
        for corpus, largest in ((TEXT, 1), (SECOND, 3))
        for at, (_, name) in enumerate(CLASSES)
    ]
    studies = HeadStudies(atlas_of(tmp_path, head_facts=facts[::order]))
    assert " its attention to [SEP] matters most " in studies.looks(1, 1)
