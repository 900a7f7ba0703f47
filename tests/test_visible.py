"""No name steers a terminal, turns a line around, or is read as HTML or Markdown."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from generator.home import TEMPLATES
from generator.models.names import slug
from generator.numbers.pieces import readable
from generator.pages.blocks import Sections, Table, opening
from generator.pages.inline import Name, Token
from generator.pages.renderer import Page, Renderer
from generator.terminal import TerminalReport
from generator.visible import visible, visible_json
from tests.claims.test_report import settings, store
from tests.cli.command import fieldguide
from tests.site.documents import data_of
from tests.test_pipeline import write_project

HOSTILE = "<script>x</script> `a` [b](c) | \x1b[31mred \u202eturned \x00"
SHOWN = r"<script>x</script> `a` [b](c) | \u001b[31mred \u202eturned \u0000"
ACTING = "\x00", "\x1b", "\x9b", "\u202e", "\u2066", "\u061c", "\u200e", "\ud800", "\udfff", "\ufffe", "\uffff"


@pytest.mark.parametrize("mark", ACTING)
def test_what_acts_stands_as_its_code(mark: str):
    assert visible(f"a{mark}b") == f"a\\u{ord(mark):04x}b"
    assert readable(f"Ġa{mark}b") == f"Ġa\\u{ord(mark):04x}b"


@pytest.mark.parametrize(
    "text",
    ["plain", "two\nlines\tand a tab", "שלום", "né 🙂", "soft\u00adhyphen", "\U0001f469\u200d\U0001f52c", "日本"],
)
def test_what_people_write_stays_as_it_is(text: str):
    assert visible(text) == text


@pytest.mark.parametrize("mark", [*ACTING, "\b", "\f", "\r"])
def test_what_acts_stands_as_its_code_once_a_script_was_read(mark: str):
    text = json.dumps([f"a{mark}b\\{mark}"], ensure_ascii=False)
    assert json.loads(visible_json(text)) == [visible(f"a{mark}b\\{mark}")]


@pytest.mark.parametrize("text", [r"\u202e", r"\\u001b", "\U0001f469\u200d\U0001f52c", 'a "b"\n\t\\', "<b>", "né"])
def test_what_a_script_holds_of_what_people_write_stays_as_it_is(text: str):
    for ascii_alone in (True, False):
        made = json.dumps(text, ensure_ascii=ascii_alone).replace("<", r"\u003c")
        assert visible_json(made) == made


def test_the_data_of_a_page_s_figures_are_text_once_they_are_read():
    renderer = Renderer(TEMPLATES)
    renderer.beside(json.dumps({"name": HOSTILE}), "data")
    ((_, script),) = renderer.drawn("x/")
    assert data_of(script) == {"data": {"name": SHOWN}}


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Settings of a project with results of a model of that name."""
    store(tmp_path / "mine", HOSTILE, slug(HOSTILE), 0.5)
    return settings(tmp_path)


@pytest.mark.parametrize(
    ("form", "name"),
    [
        ("table", SHOWN),
        ("markdown", r"&lt;script&gt;x&lt;/script&gt; \`a\` \[b\](c) \| \\u001b\[31mred \\u202eturned \\u0000"),
    ],
)
def test_claims_print_a_model_s_name_as_text(config: Path, form: str, name: str):
    outcome = fieldguide("claims", "--config", config, "--format", form)
    assert outcome.exit == 0, outcome.err
    assert name in outcome.out
    assert [mark for mark in ACTING if mark in outcome.out] == []


def test_an_explanation_and_an_error_print_it_as_text(config: Path):
    told = fieldguide("claims", "explain", "C01", "--model", HOSTILE.replace("\x00", "\x01"), "--config", config)
    assert told.exit in (0, 1)
    assert SHOWN in told.err + told.out
    assert [mark for mark in ACTING if mark in told.err + told.out] == []


def test_a_terminal_is_not_steered(capsys):
    report = TerminalReport()
    report.note(HOSTILE)
    report.warn(HOSTILE)
    assert capsys.readouterr().err.count(SHOWN) == 2


def test_a_page_shows_it_as_text():
    title = (Name(HOSTILE), " and ", Token(HOSTILE))
    page = Sections(title, HOSTILE, (), (opening(HOSTILE, Table((HOSTILE,), ((HOSTILE, Name(HOSTILE)),))),))
    made = Renderer(TEMPLATES).page("x/", page)
    for text in (made.html, made.title, made.search, made.description):
        assert [mark for mark in ACTING if mark in text] == []
        assert r"\u001b[31mred \u202eturned \u0000" in text
    assert "<script>" not in made.html + made.search


def test_a_title_and_a_description_that_a_page_gets_later_are_text():
    page = replace(Page("x/", "", ""), title=HOSTILE, description=HOSTILE)
    assert (page.title, page.description) == (SHOWN, SHOWN)


@pytest.mark.parametrize("words", [("add",), ("remove",)])
def test_a_change_of_the_settings_prints_a_model_s_name_as_text(tmp_path: Path, checkpoint, words: tuple[str, ...]):
    name, config = "a \x07 turned \u202e b", write_project(tmp_path / "project", [])
    model = Path(shutil.copytree(checkpoint("bert"), tmp_path / name))
    if words == ("remove",):
        assert fieldguide("add", model, "--config", config).exit == 0
    outcome = fieldguide(*words, model if words == ("add",) else name, "--config", config)
    assert outcome.exit == 0, outcome.err
    assert [mark for mark in ACTING if mark in outcome.out] == []
    assert r"a \u0007 turned \u202e b" in outcome.out


def test_what_a_site_and_a_page_say_of_themselves_is_text(tmp_path: Path):
    config = write_project(tmp_path / "project", [])
    told = r'"Te\u202est\e[31m"'
    menu = config.with_name("mkdocs.yml")
    lines = [line for line in menu.read_text().splitlines() if not line.startswith("site_")]
    own = [f"{name}: {told}" for name in ("site_name", "site_author", "site_description")]
    menu.write_text("\n".join([*own, *lines]) + "\n")
    page = f"---\ntitle: {told}\ndescription: {told}\n---\n# Note\n"
    (config.parent / "docs" / "note.md").write_text(page)
    assert fieldguide("build", "--config", config).exit == 0
    for name in ("note/", "cite/", ""):
        if (path := config.parent / "site" / name / "index.html").exists():
            made = path.read_text(encoding="utf-8")
            assert [mark for mark in ACTING if mark in made] == []
            assert r"Te\u202est\u001b[31m" in made
