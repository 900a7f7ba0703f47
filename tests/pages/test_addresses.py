"""Relative links lead where a browser takes them, from any page to any other."""

from itertools import product
from urllib.parse import unquote, urljoin

import pytest

from generator.pages import addresses

PLACES = (
    addresses.HOME,
    addresses.MODELS,
    addresses.METHODS,
    addresses.model("tiny"),
    addresses.model("a--b"),
    addresses.head("tiny", 1, 12),
    addresses.head("a--b", 3, 4),
    addresses.method("sink.mass"),
)
ODD = ("a b", "50%", "what?", "c#", "\u05e9\u05dc\u05d5\u05dd", "'quoted\"", "a:b")


@pytest.mark.parametrize("root", ["http://localhost/", "https://example.org/guide/", "file:///tmp/site/"])
def test_link_leads_from_any_page_to_any_other(root: str) -> None:
    for page, target in product(PLACES, PLACES):
        assert urljoin(root + page, addresses.relative(target, page)) == root + target


@pytest.mark.parametrize("name", ODD)
def test_odd_names_arrive_unchanged(name: str) -> None:
    for page, target in product(PLACES, (addresses.model(name), addresses.head(name, 1, 2))):
        assert unquote(urljoin("http://localhost/" + page, addresses.relative(target, page))).endswith(f"/{target}")


def test_link_is_never_empty_and_never_absolute() -> None:
    links = [addresses.relative(target, page) for page, target in product(PLACES, PLACES)]
    assert all(link and not link.startswith("/") for link in links)


def test_layers_and_heads_stand_in_the_address_as_the_papers_count_them() -> None:
    assert addresses.head("bert", 8, 11) == "models/bert/heads/8-11/"
