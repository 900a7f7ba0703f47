"""In Chromium: heads of all models are asked for by expression and sorted; the address keeps the question."""

import json
import math
import random
import re
import statistics
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, expect

from generator.numbers.writing import UNDEFINED, handed, in_column
from generator.pages.heads.asking import field, kinds_asked
from tests.site.browser import Visit
from tests.site.project import PLACES, Site

pytestmark = pytest.mark.browser
FINDER = PLACES["finder"]
READY = ".fg-finder[data-ready]"
ROWS = "#finder tbody tr"
NAMES = "all => all.map(row => `${row.cells[0].textContent} ${row.cells[1].textContent}`)"
TOLD = "#finder-told"
ANSWERS = f"""(field, all) => all.map(words => {{
  field.value = words;
  field.dispatchEvent(new Event("input", {{ bubbles: true }}));
  const told = document.querySelector("{TOLD}").innerText;
  document.querySelector(".fg-more").click();
  return [told, ({NAMES})([...document.querySelectorAll("{ROWS}")])];
}})"""
"""What is told, and the heads in the whole table, after each of so many questions is typed at once."""
Look = Callable[[str], float]
ASKED: dict[str, Callable[[Look, Look], bool]] = {
    "next >= {attention.next} and layer >= 200 %": lambda of, mid: (
        of("attention.next") >= mid("attention.next") and of("layer") >= 2
    ),
    "sep+ sink > {sink.mass} + 0.05 or not head != 2": lambda of, mid: (
        of("attention.sep") + of("sink.mass") > mid("sink.mass") + 0.05 or of("head") == 2
    ),
    "not (next < {attention.next} or next - self > -0.0001)": lambda of, mid: (
        not (of("attention.next") < mid("attention.next") or of("attention.next") - of("attention.self") > -0.0001)
    ),
    "offset.-1 ≥ {offset.-1} AND attention.previous>0": lambda of, mid: (
        of("offset.-1") >= mid("offset.-1") and of("attention.previous") > 0
    ),
}
"""Expressions with the median of all heads in braces, and which heads they ask for."""
OTHER = {
    "dobj": "obj",
    "direct_objects": "obj",
    "direct objects": "obj",
    "Direct object": "obj",
    "Subjects": "nsubj",
    "entropy.all": "entropy",
    "[CLS]": "cls",
    "[SEP]": "sep",
    "attention to [SEP]": "sep",
    "next token": "next",
    "Attention to the previous token": "previous",
}
WRONG = {
    "previous >": "Expected a number or the name of a measure or relation, found the end;",
    "previous 0.5": "Expected a comparison such as > or <=, found “0.5”;",
    "(layer = 1": "Expected a closing bracket, found the end;",
    "layer = 1 head": "Expected “and”, “or” or the end, found “head”;",
    "prevous > 1": "Expected the name of a measure or relation, found “prevous”; did you mean previous",
    "constructor > 1": "Expected the name of a measure or relation, found “constructor”;",
    "direct act > 1": "Expected the name of a measure or relation, found “direct act”; did you mean indirect_objects",
    "[PAD] > 1": "Expected the name of a measure or relation, found “PAD”;",
    "bogus": f"Expected a word that this list knows, found “bogus”; it knows {', '.join(field()[:2])},",
    "heads that sing": "Expected a word that this list knows, found “sing”; it knows ",
    "constructor": "Expected a word that this list knows, found “constructor”; it knows ",
    "induction": "No number of a head tells induction,",
    "bogus > 1": "Expected the name of a measure or relation, found “bogus”; all names are in the list below the table",
    "layer = 1; alert(1)": "Expected numbers, names and comparisons, found “; alert(1)”.",
}


def heads(site: Site) -> dict[str, Look]:
    """Model and name of each head, and its numbers by name, with the digits that the page gets."""

    def look(name: str, place: tuple[int, int]) -> Look:
        def of(column: str) -> float:
            if column in ("layer", "head"):
                return place[column == "head"]
            text = handed(site.atlases[name].estimates[column].of(*place).value)
            return math.nan if text == UNDEFINED else float(text)

        return of

    return {f"{name} {at[0]}-{at[1]}": look(name, at) for name, atlas in site.atlases.items() for at in atlas.places}


def shown(visit: Visit) -> list[str]:
    """Model and name of each head in the table."""
    visit.page.locator(READY).wait_for()
    return visit.page.locator(ROWS).evaluate_all(NAMES)


@pytest.mark.parametrize("asked", ASKED)
def test_heads_that_fit_are_those_whose_stored_numbers_do(visit: Visit, site: Site, asked: str) -> None:
    def middle(column: str) -> float:
        return round(statistics.median(look(column) for look in heads(site).values()), 3)

    page = visit.go(FINDER)
    expected = [name for name, look in heads(site).items() if ASKED[asked](look, middle)]
    assert 0 < len(expected) < len(heads(site))
    page.get_by_label("Heads where").fill(re.sub(r"{(.*?)}", lambda found: f"{middle(found[1])}", asked))
    page.evaluate("document.querySelector('.fg-more').click()")
    assert sorted(shown(visit)) == sorted(expected)
    assert page.locator(TOLD).inner_text().startswith(f"{len(expected)} of {len(heads(site))} heads")


def test_relations_and_measures_go_by_their_other_names_too(visit: Visit) -> None:
    page = visit.go(FINDER)
    field = page.get_by_label("Heads where")
    for other, name in OTHER.items():
        field.fill(f"{name} > 0.2")
        expected = shown(visit)
        told = page.locator(TOLD).inner_text()
        assert page.locator("#finder thead button").first.inner_text() == name
        field.fill(f"{other} > 0.2")
        assert (shown(visit), page.locator(TOLD).inner_text()) == (expected, told)
        assert page.locator("#finder thead button").first.inner_text() == name
    field.fill("dir > 1")
    assert "or direct_objects?" in page.locator(TOLD).inner_text()


def test_what_cannot_be_read_is_told_in_a_sentence_and_empties_the_list(visit: Visit) -> None:
    page = visit.go(FINDER)
    before = shown(visit)
    field = page.get_by_label("Heads where")
    for asked, told in WRONG.items():
        field.fill(asked)
        said = page.locator(TOLD).inner_text()
        assert said.startswith(told)
        assert re.fullmatch(r"[^?]+[^.?][.?]", said), "one sentence"
        assert field.get_attribute("aria-invalid") == "true"
        assert shown(visit) == []
        assert page.locator(".fg-more").is_hidden()
    field.fill("")
    assert field.get_attribute("aria-invalid") is None
    assert shown(visit) == before


def test_each_word_of_the_field_asks_for_heads_of_its_kinds(visit: Visit) -> None:
    page = visit.go(FINDER)
    shown(visit)
    data = page.evaluate(
        "(({ model, layer, head, kind, models }) => ({ model, layer, head, kind, models }))(fieldguideHeads)"
    )
    places = zip(data["model"], data["layer"], data["head"], data["kind"], strict=True)
    named = [(f"{data['models'][at][1]} {layer}-{head}", kind) for at, layer, head, kind in places]
    expected = {}
    for word, kinds in ((word, kinds) for words, kinds in kinds_asked().items() for word in words):
        found = [name for name, kind in named if kind in kinds]
        expected |= dict.fromkeys((word, f"Which HEADS find {word.title()}?", f"({word})"), found)
        others = [name for name, kind in named if kind not in kinds and int(name.split()[-1][0]) > 1]
        expected[f"not {word} and layer > 1"] = others
    answers = page.get_by_label("Heads where").evaluate(ANSWERS, list(expected))
    for (asked, heads), (told, names) in zip(expected.items(), answers, strict=True):
        assert told.startswith(f"{len(heads)} of {len(named)} heads"), asked
        assert names == heads, asked


def test_a_name_alone_sorts_by_it_and_words_for_a_relation_are_its_name(fresh: Visit) -> None:
    values = {"cop": [0.1, math.nan, 0.7], "obj": [0.3, 0.2, math.nan], "previous": [0.1, 0.2, 0.3]}
    orders = {"copula": ["1-3", "1-1"], "objects": ["1-1", "1-2"], "previous heads": ["1-3", "1-2", "1-1"]}
    words = {"copula": "cop", "object": "obj"}
    table_of(fresh, values, "", words)
    fresh.page.get_by_label("Sort by").select_option("")
    for asked, order in orders.items():
        fresh.page.get_by_label("Heads where").fill(asked)
        assert [name.split()[-1] for name in shown(fresh)] == order


def test_a_question_is_sorted_by_keyboard_and_kept_in_the_address(visit: Visit, site: Site) -> None:
    page = visit.go(FINDER)
    page.locator(READY).wait_for()
    page.get_by_role("button", name="next", exact=True).focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    values = [heads(site)[name]("attention.next") for name in shown(visit)]
    assert values == sorted(values)
    assert page.locator("#finder th[aria-sort=ascending]").inner_text().startswith("next")
    page.get_by_label("Model").select_option(index=1)
    page.get_by_label("Heads where").fill("layer > 1")
    assert page.evaluate("location.search").endswith("&sort=next&order=up")
    assert "where=layer+%3E+1&" in page.evaluate("location.search")
    found = shown(visit)
    visit.page.reload()
    assert shown(visit) == found
    page.get_by_role("link", name="obj > 0.6").click()
    expect(page.get_by_label("Heads where")).to_have_value("obj > 0.6")
    page.go_back()
    expect(page.get_by_label("Heads where")).to_have_value("layer > 1")
    assert shown(visit) == found


def test_a_question_in_the_address_is_answered_from_disk(from_disk: Visit, site: Site) -> None:
    from_disk.page.goto(f"{from_disk.address}{FINDER}index.html?where=layer%3D2&sort=next&order=up")
    values = [heads(site)[name]("attention.next") for name in shown(from_disk)]
    assert values == sorted(values)
    assert len(values) == sum(look("layer") == 2 for look in heads(site).values())


def test_first_heads_are_there_without_javascript(browser: Browser, site: Site, visit: Visit) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site.address + FINDER)
    cells = [row.locator("td").all_inner_texts() for row in page.locator(ROWS).all()]
    without = [" ".join(row[:2]) for row in cells]
    told, hidden = page.locator(TOLD).inner_text(), page.locator(".fg-finder").is_hidden()
    context.close()
    visit.go(FINDER)
    visit.page.locator(READY).wait_for()
    assert [row.locator("td").all_inner_texts() for row in visit.page.locator(ROWS).all()][: len(cells)] == cells
    assert hidden
    assert told.startswith(f"The first {len(without)} of {len(heads(site))} heads.")
    assert shown(visit)[: len(without)] == without


def table_of(
    visit: Visit, columns: dict[str, list[float]], asked: str, words: dict[str, str] | None = None
) -> list[list[str]]:
    """The cells of the numbers of made-up heads, for a question that all of them meet."""
    heads = len(next(iter(columns.values())))
    data = {
        "models": [["one", "One"]],
        "layer": [1] * heads,
        "head": list(range(1, heads + 1)),
        "titles": ["has no clear job: a mix of tokens"],
        "kind": ["none"] * heads,
        "shown": list(columns),
        "words": words or {},
        "columns": [[name, name] for name in columns],
        "values": [" ".join(map(handed, values)) for values in columns.values()],
    } | dict.fromkeys(("model", "title"), [0] * heads)
    visit.page.add_init_script(f"window.fieldguideHeads = {json.dumps(data)};")
    page = visit.go(FINDER)
    page.locator(READY).wait_for()
    page.get_by_label("Sort by").select_option("layer")  # equal for all: they keep their order
    page.get_by_label("Heads where").fill(asked)
    rows = page.locator(ROWS).evaluate_all("all => all.map(row => [...row.cells].map(cell => cell.textContent))")
    names = page.locator("#finder thead button").all_inner_texts()
    return [[row[3 + names.index(name)] for name in columns] for row in rows]


@pytest.mark.parametrize(
    ("asked", "columns"),
    [
        ("nmod:poss > 0.31", ("nmod:poss",)),
        ("cls > 0.33", ("cls",)),
        ("pattern.block > 0.5", ("pattern.block",)),
        ("offset.-1 + offset.0 + offset.1 > 0.5", ("offset.-1", "offset.0", "offset.1")),
    ],
)
def test_what_the_page_of_a_head_asks_is_answered(fresh: Visit, asked: str, columns: tuple[str, ...]) -> None:
    """Of the forms of `generator.pages.heads.onward.question`."""
    assert len(table_of(fresh, {name: [0.6, 0.7] for name in columns}, asked)) == 2
    assert fresh.page.get_by_label("Heads where").get_attribute("aria-invalid") is None


def test_numbers_of_a_column_have_the_same_digits(fresh: Visit) -> None:
    """Among them are numbers halfway between two of three digits."""
    rng = random.Random(0)
    hard = [
        0.0,
        math.nan,
        0.3125,
        0.4375,
        -0.1875,
        1.125,
        1.375,
        2.5,
        30522.5,
        30523.5,
        1234567.0,
        999.5,
        1000.5,
        -999.5,
    ]
    hard += [4.55e-9, -4.2e-8, 1e-7, 9.999e-8, 0.49962, 0.49999996, 0.9996, 0.99951, 100.0, -0.00042, 0.0625, 12.25]
    values = [hard + [rng.choice((-1, 1)) * 10 ** rng.uniform(-10, 6) for _ in range(24)] for _ in range(20)]
    columns = {f"made{at}": some for at, some in enumerate(values)}
    expected = [[in_column(value) for value in row] for row in zip(*columns.values(), strict=True)]
    assert table_of(fresh, columns, "") == expected


def test_no_number_reads_as_if_it_met_a_bound_that_it_misses(fresh: Visit) -> None:
    near = [0.49962, 0.49999996, 0.5, 0.50004, 0.4, 0.3]
    columns = dict.fromkeys(("first", "second", "third", "other", "summed"), near)
    asked = "(first >= 0.5 or 40 % = second or third < other + 0.00001 or summed + 1 > 0.5 or 0.3 < first) or head > 0"
    expected = [
        [
            in_column(value, against=(0.5, 0.3)),
            in_column(value, against=(0.4,)),
            in_column(value, against=(value + 0.00001,)),
            in_column(value),
            in_column(value),
        ]
        for value in near
    ]
    assert [row[0] for row in expected] == ["0.4996", "0.49999996", "0.500", "0.50004", "0.400", "0.300"]
    assert table_of(fresh, columns, asked) == expected


def test_numbers_of_the_finder_are_asked_for_by_its_page_alone(site: Site) -> None:
    assert [name for name, html in site.pages().items() if "finder.js" in html] == [f"{FINDER}index.html"]
