"""Whether a head's weights can be believed: weight against norm, and gradients."""

import math

import pytest

from generator.numbers.writing import number
from generator.pages.heads.studies import AGREE, CLASSES, DIFFER, HeadStudies
from tests.pages.heads.tiny import PLACES, SECOND, TEXT, atlas_of, fact


@pytest.mark.parametrize(
    ("moved", "words"),
    [
        (0.0, "one picture: 0 of"),
        (AGREE - 0.01, "one picture: 0.14 of"),
        (AGREE, "similar pictures: 0.15 of"),
        (AGREE + 0.01, "similar pictures: 0.16 of"),
        (DIFFER - 0.01, "similar pictures: 0.39 of"),
        (DIFFER, "similar pictures: 0.4 of"),
        (DIFFER + 0.01, "different pictures: 0.41 of"),
        (1.0, "different pictures: 1 of"),
    ],
)
@pytest.mark.parametrize("at", range(3))
def test_weight_and_norm_are_one_picture_when_little_would_have_to_move(tmp_path, moved, words, at):
    """From any class to the last; only the head it is true of says so."""
    shares = [0.0, 0.0, 0.0, 1.0 - moved]
    shares[at] = moved
    atlas = atlas_of(tmp_path, dict.fromkeys(PLACES, (0.0, 0.0, 0.0, 1.0)) | {(2, 1): tuple(shares)})
    atlas_norms = atlas_of(tmp_path / "n", {(2, 1): tuple(shares)}, {(2, 1): (0.0, 0.0, 0.0, 1.0)})
    assert f"Weight and norm give {words} the attention would have to move" in HeadStudies(atlas_norms).believed(2, 1)
    assert "one picture: 0 of" in HeadStudies(atlas_norms).believed(1, 2)
    assert "different pictures: 0.75 of" in HeadStudies(atlas).believed(1, 2)


def test_half_of_the_summed_differences_would_have_to_move(tmp_path):
    weight, norms = (0.5, 0.3, 0.1, 0.1), (0.1, 0.4, 0.2, 0.3)
    gains = sum(max(one - other, 0) for one, other in zip(norms, weight, strict=True))
    text = HeadStudies(atlas_of(tmp_path, {(1, 3): weight}, {(1, 3): norms})).believed(1, 3)
    assert f" {number(gains)} of the attention" in text


def test_without_norms_only_the_weights_are_known_and_one_undefined_class_is_passed_over(tmp_path):
    nan = math.nan
    atlas = atlas_of(
        tmp_path, {(1, 1): (nan, 0.5, 0.0, 0.5)}, {(1, 1): (nan, 0.3, 0.0, 0.7), (1, 2): (nan, nan, nan, nan)}
    )
    assert "similar pictures: 0.2 of" in HeadStudies(atlas).believed(1, 1)
    assert HeadStudies(atlas).believed(1, 2).startswith("How much it writes from where is unknown")


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
    ending = " The masked-LM loss depends most, per weight, on what it gives to {}."
    assert studies.believed(2, 3).endswith(ending.format(CLASSES[most][0]))
    assert studies.believed(1, 1).endswith(ending.format(CLASSES[(most + 1) % 4][0]))
    assert "loss" not in studies.believed(1, 2)


def test_an_undefined_gradient_is_passed_over(tmp_path):
    values = (math.nan, 0.1, 0.3, 0.2)
    facts = [
        fact("gradient", f"gradient.{name}", (1, 1), value) for (_, name), value in zip(CLASSES, values, strict=True)
    ]
    assert HeadStudies(atlas_of(tmp_path, head_facts=facts)).believed(1, 1).endswith("gives to periods and commas.")


@pytest.mark.parametrize("order", [1, -1], ids=["shown first", "shown last"])
def test_gradients_are_those_of_the_text_that_is_shown(tmp_path, order):
    facts = [
        fact("gradient", f"gradient.{name}", (1, 1), float(at == largest), corpus)
        for corpus, largest in ((TEXT, 1), (SECOND, 3))
        for at, (_, name) in enumerate(CLASSES)
    ]
    studies = HeadStudies(atlas_of(tmp_path, head_facts=facts[::order]))
    assert studies.believed(1, 1).endswith("gives to separators.")
