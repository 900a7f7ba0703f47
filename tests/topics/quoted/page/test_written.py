"""What a hand-written page shows of an example sentence: the head that gives most, and numbers as they are stored."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from generator.errors import SiteError
from generator.numbers.number import Number, all_alone
from generator.pages.heads.atlas import Atlas
from generator.pages.written.knowledge import Knowledge
from generator.results.store import find
from generator.results.writing import write
from generator.studies.fact_rows import facts, head_facts
from generator.topics.quoted.corpus import NAME, quotes
from generator.topics.quoted.page.written import UNREAD
from generator.topics.quoted.records import QUOTED
from tests.pages.claims.judged import ledger, meeting
from tests.pages.written.test_knowledge import BIBLIOGRAPHY, RENDERER, rendered
from tests.results.samples import HEADS, LAYERS, manifest, tables
from tests.site.documents import Document

QUOTE = quotes()["black-cat"]
TEXT = QUOTE.text


def stored(place: Path, slug: str, most: tuple[int, int], share: float, text: str = TEXT, ahead: float = 0.3) -> Atlas:
    """A model that gives "Tom" this share in one head, 1-based, and .05 in others."""
    model = slug.capitalize()
    named = {name: rows.assign(model=model) if "model" in rows else rows for name, rows in tables().items()}
    write(place, manifest(slug), named)
    weights = np.full((LAYERS, HEADS, 5), 0.05)
    weights[most[0] - 1, most[1] - 1] = share, 0.2, 0.01, 0.0, 0.02
    grid = {f"black-cat.weight.{at + 1}": all_alone(weights[..., at], 1) for at in range(5)}
    usual = np.arange(LAYERS * HEADS).reshape(LAYERS, HEADS) / 100
    others = {"black-cat.usual": Number(usual, usual, usual + 0.1, np.full(usual.shape, 90))}
    shares = {"black-cat.ahead.usual": Number(0.2, 0.1, 0.3, 90), "black-cat.fewer": Number(0.6, 0.5, 0.7, 90)}
    found = {
        "facts": [
            facts({"black-cat.ahead": Number(ahead, np.nan, np.nan, 1)}, QUOTED, model, NAME),
            facts(shares, QUOTED, model, "trees"),
        ],
        "head_facts": [head_facts(grid, QUOTED, model, NAME), head_facts(others, QUOTED, model, "trees")],
    }
    joined = {name: pd.concat(parts, ignore_index=True) for name, parts in found.items()}
    write(place, manifest(slug, corpora=(), experiment="quoted", settings={"sentences": {"black-cat": text}}), joined)
    (results,) = (one for one in find([place]) if one.manifest.slug == slug)
    return Atlas(results)


def told(*atlases: Atlas, key: str = "black-cat") -> Document:
    """The call, as MkDocs would show it."""
    models = [atlas.results.manifest for atlas in atlases]
    knowledge = Knowledge(ledger(*[meeting] * len(models), models=models), BIBLIOGRAPHY, RENDERER, atlases)
    return Document(rendered(f'Before.\n\n{{{{ quoted("{key}") }}}}\n\nAfter.', knowledge))


def test_the_head_that_gives_most_is_drawn_with_its_numbers(tmp_path: Path) -> None:
    first, second = stored(tmp_path, "tiny", (2, 3), 0.42), stored(tmp_path, "other", (1, 2), 0.08, ahead=0.5)
    found = told(first, second)
    captions = [one.text for one in found.find("figcaption")]
    assert captions[0].startswith("“cat” gives “Tom” 42 % of its attention in head 2-3 of Tiny.")
    assert "Another 35 % goes to" in captions[0]
    assert captions[1].startswith("“cat” gives “Tom” 8 % of its attention in head 1-2 of Other.")
    (titled, _) = (one.text for one in found.find("title") if one.text.startswith("cat:"))
    assert titled == "cat: Tom 42 %, is 20 %"
    cells = [one.text for one in found.find("td")]
    assert cells[:6] == ["2-3 of Tiny", "42 %", "6 % (6 to 16)", "30 %", "20 % (10 to 30)", "60 % (50 to 70), n = 90"]
    assert cells[6:10] == ["1-2 of Other", "8 %", "1 % (1 to 11)", "50 %"]
    seen = next(one.text for one in found.find("p") if "any word between in" in one.text)
    assert seen.startswith(
        "“cat” gives “Tom” more than any word between in 30 % to 50 % of a model's heads; in 40 % of"
    )
    assert "other sentences of five words, as many heads or more do so" in seen


def test_links_lead_to_the_head_and_to_the_definition(tmp_path: Path) -> None:
    links = [one.attributes["href"] for one in told(stored(tmp_path, "tiny", (2, 3), 0.42)).find("a")]
    assert {"../../models/tiny/heads/2-3/", "../../models/tiny/", "../../methods/quoted/"} == {*links}


def test_a_model_that_read_another_text_or_nothing_is_left_out(tmp_path: Path) -> None:
    write(tmp_path / "plain", manifest("plain"), tables())
    (plain,) = find([tmp_path / "plain"])
    other = stored(tmp_path / "other", "other", (1, 1), 0.3, text="Tim is a black cat")
    assert [one.text for one in told(Atlas(plain), other).find("p")] == ["Before.", UNREAD, "After."]


def test_another_sentence_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SiteError, match="Expected one of black-cat as a quoted sentence, found 'dog'; corr"):
        told(stored(tmp_path, "tiny", (1, 1), 0.3), key="dog")
