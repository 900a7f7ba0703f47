"""All pages of comparisons."""

import json
from pathlib import Path
from urllib.parse import urljoin

import pytest
from markdown import Markdown

from generator.home import TEMPLATES
from generator.models.names import slug
from generator.numbers.writing import interval, number
from generator.pages import addresses
from generator.pages.blocks import Figure, Sections, Table
from generator.pages.heads.atlas import Atlas
from generator.pages.renderer import Page, Renderer
from generator.results.store import Results
from generator.topics.compare.page.compared import COMPARED
from generator.topics.compare.page.numbers import SHOWN, Comparison, Other
from generator.topics.compare.page.page import compare_links, compare_pages
from tests.encoders import HEADS, LAYERS
from tests.pages.compare.beside import MODEL, OTHER, RELATION, SMALL, TEXT, TREEBANK, of, rows_of, with_heads
from tests.pages.contract import check_charts, check_html
from tests.pages.reading import anchors as anchors_of
from tests.pages.reading import block, every, prose, section, seen, text
from tests.site.documents import Document
from tests.site.project import ROOT


@pytest.fixture(scope="module")
def pages(changed: Atlas, other: Atlas) -> list[Page]:
    """Gives every page of the model, the copy being on the site too."""
    return list(compare_pages([changed, other], Renderer(TEMPLATES)))


def test_every_comparison_has_its_page_in_its_place(changed: Atlas, other: Atlas, pages: list[Page]) -> None:
    slugs = [slug(SMALL), other.slug]
    assert COMPARED.of(changed) == sorted(slugs)
    listed, *own = [page.address for page in pages]
    assert listed == addresses.COMPARISONS
    assert own == [f"compare/{changed.slug}--{one}/" for one in sorted(slugs)]
    here = addresses.model(changed.slug)
    links = compare_links(changed, here)
    assert [urljoin(here, link.href) for link in links] == own
    assert {link.text for link in links} == {f"Compared with {one}" for one in slugs}
    assert COMPARED.of(other) == []


def contexts(changed: Atlas, other: Atlas, same: Atlas) -> list[Sections]:
    """Every context of these tests."""
    return [of(changed, OTHER, other), of(changed, OTHER), of(changed, slug(SMALL)), of(same, MODEL, same)]


def test_every_page_keeps_what_every_page_promises(changed: Atlas, other: Atlas, same: Atlas) -> None:
    known = contexts(changed, other, same)
    assert {kind for page in known for figure in every(page, Figure) for kind in figure.kinds} == {"grid", "shifts"}
    for page in known:
        assert every(page, Table)
        check_charts(page)
        check_html(page, Renderer(TEMPLATES).render("page.html", page))


def is_other(page: Page) -> bool:
    """Whether the page is that of the hostile name."""
    return slug(OTHER) in page.address


def test_every_link_leads_somewhere(changed: Atlas, other: Atlas, pages: list[Page]) -> None:
    known = {addresses.head(atlas.slug, *place) for atlas in (changed, other) for place in atlas.places}
    known |= {addresses.MODELS, *(addresses.model(atlas.slug) for atlas in (changed, other))}
    known |= {page.address for page in pages}
    known |= {f"{addresses.ASSETS}pairs.{kind}" for kind in ("js", "css")}
    known |= {addresses.method(name) for name in ("pattern", *SHOWN)}
    by_hand = {addresses.GLOSSARY: anchors("glossary.md"), addresses.REFERENCES: anchors("references.md")}
    broken = []
    for page in pages:
        document = Document(page.html)
        options = [one.attributes["data-href"] for one in document.find("option")]
        for link in (*(link for _, link in document.references()), *options):
            target, _, anchor = urljoin("http://here/" + page.address, link).removeprefix("http://here/").partition("#")
            if target not in known and anchor not in by_hand.get(target, ()):
                broken.append(f"{page.address} -> {link}")
    assert broken == []


def anchors(name: str) -> set[str]:
    """What a page written by hand can be entered at."""
    text = (ROOT / "docs" / name).read_text(encoding="utf-8").partition("\n---\n")[2]
    return Document(Markdown(extensions=["attr_list", "toc"]).convert(text)).ids


@pytest.mark.parametrize(
    ("corpus", "units"), [(TEXT, "documents"), ("rte", "pairs of sentences"), ("sst2", "sentences")]
)
def test_what_is_counted_is_called_what_it_is(changed: Atlas, corpus: str, units: str) -> None:
    assert Comparison(changed, Other(slug(OTHER), None), corpus, 1).units == units


def test_hostile_names_stay_text(pages: list[Page]) -> None:
    for page in pages:
        document = Document(page.html)
        assert not [element for element in document.elements if element.tag in ("img", "b", "i", "u")]
        scripts = [one.attributes["src"] for one in document.find("script")]
        assert scripts == (["../assets/fieldguide/pairs.js"] if page.address == addresses.COMPARISONS else [])
    (hostile,) = (page for page in pages if is_other(page))
    texts = [one.text for one in Document(hostile.html).find("bdi")]
    assert {OTHER, TEXT, TREEBANK, RELATION} <= set(texts)


def test_same_results_give_the_same_pages(changed: Atlas, other: Atlas, pages: list[Page]) -> None:
    again = Atlas(Results.open(changed.results.folder))
    assert list(compare_pages([again, other], Renderer(TEMPLATES))) == pages


def test_whether_the_other_model_learned_the_task_is_said(changed: Atlas, other: Atlas, same: Atlas) -> None:
    (read,) = prose(of(changed, OTHER, other), "on-1")
    assert read.endswith(
        f" On this task {OTHER} scores 0.57 (0.51 to 0.62, n 277). That is 0.04 (-0.02 to 0.10, n 277) above the "
        "majority class, so the model has not surely learned the task."
    )
    assert "task" not in prose(of(same, MODEL), "on-1")[0]


def test_page_of_a_model_with_itself_shows_no_change(same: Atlas) -> None:
    page = of(same, MODEL, same)
    assert page.lead.startswith("No change on 6 documents")
    assert page.lead.endswith("The weights are the same.")
    patterns = ["on-1-patterns"] if "on-1-patterns" in anchors_of(page) else []
    assert anchors_of(page) == ["on-1", "on-1-layers", "on-1-heads", *patterns, "on-1-measures"]
    assert prose(page, "on-1-heads") == ["No head changed its maps."]
    assert prose(page, "on-1-measures") == ["No measure changed."]
    assert (len(every(page, Figure)), len(every(page, Table))) == (1, 1)
    (view,) = json.loads(block(page, "on-1", Figure).data)["views"]
    assert all(set(view["columns"][field]) == {0.0} for field in ("value", "low", "high"))
    rows = block(page, "on-1-layers", Table).rows
    assert {row[1].text for row in rows[1:]} == {"1"}
    assert {row[4] for row in rows} == {"0"}
    for anchor in patterns:
        told = f"The most frequent pattern of 0 of {LAYERS * HEADS} heads differs between the models."
        assert prose(page, anchor) == [told]


def test_rounding_is_no_change_and_anything_above_it_is(same: Atlas, tmp_path: Path) -> None:
    for step, said in ((1e-8, "No change"), (1e-3, "The maps of a head")):
        heads = same.results.table("head_facts").copy()
        at = (heads["name"] == "entropy.all") & (heads["layer"] == 2) & (heads["head"] == 1)
        heads.loc[at, "value"] = -step
        again = with_heads(same, heads, tmp_path / said.replace(" ", ""))
        assert of(again, MODEL).lead.startswith(said)


def test_a_measure_that_only_rounding_changes_is_not_drawn(same: Atlas, tmp_path: Path) -> None:
    heads = same.results.table("head_facts").copy()
    for name, step in (("entropy.all", 1e-3), ("attention.self", 1e-8)):
        heads.loc[(heads["name"] == name) & (heads["layer"] == 2) & (heads["head"] == 1), "value"] = step
    page = of(with_heads(same, heads, tmp_path / "again"), MODEL)
    figure = block(page, "on-1-measures", Figure)
    assert [view.text for view in figure.views] == ["Entropy"]
    assert [row[0].text for row in block(page, "on-1-measures", Table).rows] == ["Entropy"]


def test_relations_show_the_change_of_the_first_models_own_head(changed: Atlas) -> None:
    page = of(changed, OTHER)
    assert seen(section(page, "on-2").title) == TREEBANK
    (row,) = block(page, "on-2-relations", Table).rows
    value = 0.1 * 2 + 0.01 * 3 - 1
    assert [text(cell) for cell in row[:4]] == [RELATION, "2-3", "head to dependent", number(3 / 40)]
    assert (float(row[4].text), row[5].text) == (pytest.approx(value), "40")
    assert [anchor for anchor in anchors_of(page) if anchor.startswith("on-2-")] == ["on-2-relations", "on-2-features"]
    assert section(page, "on-2").blocks == ()


def test_kinds_of_tokens_show_the_head_that_changed_most(changed: Atlas) -> None:
    (row,) = block(of(changed, OTHER), "on-2-features", Table).rows
    expected = ["noun", "3-1", "-0.40", "30", f"2 of {LAYERS * HEADS}"]
    assert [text(cell) for cell in row] == expected
    assert row[2].note == interval(-0.55, -0.25, signed=True)


def test_models_of_another_shape_have_twins_alone(changed: Atlas) -> None:
    page = of(changed, slug(SMALL))
    assert "number of layers or heads" in prose(page, "")[0]
    assert anchors_of(page) == ["on-1", "on-1-twins"]
    assert every(page, Figure) == []
    twins = block(page, "on-1-twins", Table)
    rows = {
        name: rows_of(changed, f"twin.{name}", slug(SMALL)).set_index(["layer", "head"])
        for name in ("layer", "head", "divergence")
    }
    ordered = rows["divergence"].sort_values("value", kind="stable")
    assert len(twins.rows) == len(ordered) == 4
    for cells, (place, expected) in zip(twins.rows, ordered.iterrows(), strict=True):
        twin = int(rows["layer"].loc[place, "value"]), int(rows["head"].loc[place, "value"])
        assert [text(cell) for cell in cells] == [
            "{}-{}".format(*place),
            "{}-{}".format(*twin),
            number(expected["value"]),
            str(expected["n"]),
        ]
    same_layer = sum(place[0] == row["value"] for place, row in rows["layer"].iterrows())
    assert f"{same_layer} of 4 twins" in page.lead
