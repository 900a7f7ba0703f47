"""What cannot be built for one model is said with its reason, all else is built, and the exit status tells."""

import json
import re
import shutil
from itertools import chain
from pathlib import Path

import pandas as pd
import pytest
import transformers

from generator.analysis import analyze
from generator.claims.all import CLAIMS
from generator.claims.evidence.evidence import Evidence
from generator.config import Analysis
from generator.home import TEMPLATES
from generator.models.source import locate
from generator.pages.claims.page import claim_files
from generator.pages.render import judged, missing
from generator.pages.renderer import Missing, Page
from generator.results.manifest import FILE
from generator.results.store import find
from generator.results.tables import FORMAT
from generator.site.build import LISTED
from generator.studies.declared import STUDIES
from tests.cli.command import fieldguide, write_corpus
from tests.corpora.test_treebank import line as word
from tests.corpora.test_treebank import written
from tests.encoders import HEADS, LAYERS, POSITIONS, SIZE, tokenizer_of
from tests.results.altered import altered, renamed, with_table
from tests.site.documents import Document
from tests.test_pipeline import ADDRESSED, QUIET, write_project

BROKEN = {
    "Home": "What do attention heads do?",
    "Models": "Models",
    "Methods": "Methods",
    STUDIES[0].title: STUDIES[0].title,
    "Data": "Data",
    "Files of other": "Data of other",
    "How to cite": "Cite this guide",
    "Claims": "Claims",
    "Two models side by side": "Two models side by side",
    "other: Its heads": "Heads of other",
}
"""Pages as a build names them, and their titles."""
DAMAGED = {
    "table": "table/roles.parquet as it was written, found",
    "manifest": f"manifest/{FILE} to be a manifest, found: ",
    "newer": f"found format {FORMAT + 1}; update this program",
    "rows": "rows: its pages could not be made: Expected the same number of rows for each of ",
    "gap": "(clusters) of the study landscape on twelve.txt in facts.parquet of gap, found it missing while ",
}
"""Models whose results are damaged in one way each -> what is said of it."""
SAID = "Error: Expected a build without warnings, found "


@pytest.fixture(scope="module")
def stored(checkpoint, tmp_path_factory):
    """Results of a tiny encoder called bert."""
    root = tmp_path_factory.mktemp("stored")
    text = write_corpus(root / "twelve.txt", 12)
    return analyze(locate(str(checkpoint("bert"))), Analysis(corpora=(str(text),), device="cpu"), root, QUIET)[0]


@pytest.fixture
def alone(stored, tmp_path):
    """The settings of a project that holds these results."""
    config = write_project(tmp_path / "project", [], mkdocs=ADDRESSED)
    shutil.copytree(stored, config.parent / "build" / "results" / "bert")
    return config


@pytest.fixture
def config(stored, alone):
    """The same with those of a model called other."""
    renamed(Path(shutil.copytree(stored, alone.parent / "build" / "results" / "other")), "other")
    return alone


def lose_a_row(config: Path, table: str) -> None:
    """Leave out the first row of a table of the second model."""
    with_table(config.parent / "build" / "results" / "other", table, lambda rows: rows[1:])


def compared(rows: pd.DataFrame) -> pd.DataFrame:
    """Numbers of heads, of which the first is of a comparison."""
    facts = {"study": "compare:bert", "name": "cosine", "value": 0.5, "low": 0.4, "high": 0.6}
    return rows.assign(**{column: rows[column].where(rows.index > 0, value) for column, value in facts.items()})


def built(config: Path) -> str:
    """Builds, which is to fail, and gives the one line that is said."""
    outcome = fieldguide("build", "--config", config)
    assert (outcome.exit, outcome.out, outcome.err.count("\n")) == (1, "", 1)
    return outcome.err.rstrip("\n")


def pages(config: Path, model: str) -> set[str]:
    """Addresses of the published pages of a model."""
    folder = config.parent / "site" / "models" / model
    return {file.parent.relative_to(folder).as_posix() for file in folder.rglob("index.html")}


def test_a_page_that_cannot_be_made_says_why_and_all_others_are_published(config):
    lose_a_row(config, "roles")
    lose_a_row(config, "examples")
    line = built(config)
    assert line.startswith(f"{SAID}2: other: ")
    assert "other: Patterns could not be made: ValueError: " in line
    assert "other: Roles of tokens could not be made: IndexError: " in line
    assert line.endswith(f". All else is built in {config.parent / 'site'}.")
    assert pages(config, "other") == pages(config, "bert")
    assert len(pages(config, "bert")) > LAYERS * HEADS
    site = config.parent / "site" / "models"
    for page in ("roles", "patterns"):
        texts = [one.text for one in Document((site / "other" / page / "index.html").read_text()).find("p")]
        assert any("This page could not be made from the stored results: " in text for text in texts)
        assert "could not be made" not in (site / "bert" / page / "index.html").read_text()


def test_what_the_settings_ask_for_and_no_page_can_show_is_named(config):
    """A folder that is not there, and a model that was read on no running text."""
    config.write_text(config.read_text().replace('also = ["build/results"]', 'also = ["build/results", "nowhere"]'))
    other = config.parent / "build" / "results" / "other"
    (corpus,) = json.loads((other / FILE).read_text())["corpora"]
    altered(other, corpora=[corpus | {"kind": "treebank", "counts": {"sentences": 12, "words": 99, "long": 0}}])
    line = built(config)
    assert line.startswith(f"{SAID}2: Expected a folder of results at {config.parent / 'nowhere'}, found none; correct")
    assert f"Expected running text among the results of other, without which it has no page, found none in {other}" in (
        line
    )
    assert (bool(pages(config, "bert")), bool(pages(config, "other"))) == (True, False)


def test_every_page_that_cannot_be_made_is_named_and_keeps_no_other_from_being_built(config):
    """Of two models and a comparison, of which only one number is there."""
    site, templates = config.parent / "site", Path(shutil.copytree(TEMPLATES, config.parent / "templates"))
    page, settings = templates / "page.html", config.parent / "mkdocs.yml"
    broken = f"{{% set name = page.title | inline | striptags %}}{{% if name in {list(BROKEN.values())} %}}"
    page.write_text(f"{broken}{{{{ {{}}[name] }}}}{{% endif %}}{page.read_text()}")
    settings.write_text(settings.read_text().replace("fieldguide]", f"fieldguide: {{templates: {templates}}}]"))
    results = with_table(config.parent / "build" / "results" / "other", "head_facts", compared)
    altered(results, packages={})  # of another version of the program, which may make fewer numbers
    line = built(config)
    told = {name: f"UndefinedError: 'dict object' has no attribute {title!r}" for name, title in BROKEN.items()}
    told["other: Compared with bert"] = "KeyError: 'cosine'"
    assert line.startswith(f"{SAID}{len(told)}: ")
    assert [f"{name} could not be made: {why}" in line for name, why in told.items()].count(True) == LISTED
    assert line.endswith(f"; and more. All else is built in {site}.")
    instead = "This page could not be made from the stored results: "
    said = [one.text for page in site.rglob("index.html") for one in Document(page.read_text()).find("p")]
    assert sorted(text for text in said if text.startswith(instead)) == sorted(instead + why for why in told.values())
    assert pages(config, "other") == pages(config, "bert")
    assert len(list((site / "claims").glob("*/index.html"))) == len(CLAIMS)


def test_a_call_in_a_hand_written_page_that_fails_says_so_in_its_place(alone):
    """The block of claims needs what it is not given."""
    templates, site = Path(shutil.copytree(TEMPLATES, alone.parent / "templates")), alone.parent / "site"
    (templates / "blocks" / "chips.html").write_text("{{ page.more }}")
    (alone.parent / "docs" / "note.md").write_text('# Note\n\nBefore.\n\n{{ claims("C04") }}\n\nAfter.\n')
    settings = alone.parent / "mkdocs.yml"
    settings.write_text(settings.read_text().replace("fieldguide]", f"fieldguide: {{templates: {templates}}}]"))
    said = "note.md: claims('C04') could not be made: UndefinedError: 'generator.pages.written.verdicts.Chips object'"
    line = built(alone)
    assert said in line
    assert built(alone) == line, "it is not up to date, and fails again"
    texts = [one.text for one in Document((site / "note" / "index.html").read_text()).find("p")]
    assert [text.startswith(said) for text in texts if text in ("Before.", "After.") or "C04" in text] == [0, 1, 0]


def test_a_page_that_asks_for_a_model_that_was_refused_says_why_it_was(config):
    (config.parent / "build" / "results" / "other" / "roles.parquet").write_bytes(b"x")
    (config.parent / "docs" / "note.md").write_text('# Note\n\n{{ found("other", "twelve.txt") }}\n')
    line = built(config)
    assert "note.md: Expected results of other for the relations that other finds in twelve.txt, found none" in line
    assert "other/roles.parquet as it was written, found other contents" in line


def test_a_file_of_rows_that_cannot_be_made_is_named_and_all_others_are_there(config):
    """The table is damaged after it was judged and before it is written."""
    folder = config.parent / "build" / "results" / "other"
    problems: list[str] = []
    results = [atlas.results for atlas, *_ in judged(find([folder.parent], problems), problems)]

    def files() -> dict[str, str]:
        return dict(chain(*(claim_files(Evidence(one), problems) for one in results)))

    whole = files()
    assert problems == []
    (folder / "roles.parquet").write_bytes(b"x")
    for result in results:
        result.release()
    found = files()
    wrong = {address for address, text in whole.items() if found[address] != text}
    assert found.keys() == whole.keys()
    assert len(wrong) == len(problems) > 0
    assert {found[address] for address in wrong} == set(problems)
    for problem in problems:
        assert re.match(
            r"other: [A-Z]\d\d as CSV could not be made: Expected .*other/roles.* as it was written", problem
        )


def test_pages_that_fail_for_one_reason_are_told_together():
    heads = [Page("", "", "", missing=Missing("other", f"Layer 1, head {head}", "why")) for head in (1, 2, 3)]
    claim = Page("", "", "", missing=Missing("", "Claim C14", "another reason"))
    assert list(missing([heads[0], Page("", "", ""), claim, *heads[1:]])) == [
        "other: Layer 1, head 1 and 2 more pages could not be made: why",
        "Claim C14 could not be made: another reason",
    ]


def test_models_whose_results_cannot_be_read_or_lack_rows_are_left_out_and_no_other(config, stored):
    results = config.parent / "build" / "results"
    for name in DAMAGED:
        renamed(Path(shutil.copytree(stored, results / name)), name)
    (results / "table" / "roles.parquet").write_bytes(b"x")
    (results / "manifest" / FILE).write_text("{")
    altered(results / "newer", format=FORMAT + 1)
    with_table(results / "rows", "documents", lambda rows: rows[1:])
    with_table(results / "gap", "facts", lambda rows: rows[rows["name"] != "clusters"])
    line = built(config)
    assert line.startswith(f"{SAID}{len(DAMAGED)}: ")
    assert {name for name, says in DAMAGED.items() if says not in line} == set()
    assert [pages(config, name) for name in DAMAGED] == [set()] * len(DAMAGED)
    assert pages(config, "other") == pages(config, "bert")
    assert len(pages(config, "bert")) > LAYERS * HEADS


def test_models_that_cannot_be_analysed_do_not_keep_the_others_from_being_built(alone, checkpoint, tmp_path):
    decoder = tmp_path / "decoder"
    settings = transformers.BertConfig(vocab_size=len(tokenizer_of("bert")), is_decoder=True, **SIZE)
    transformers.BertModel(settings).save_pretrained(decoder)
    tokenizer_of("bert").save_pretrained(decoder)
    nowhere = tmp_path / "nowhere"
    with alone.open("a") as file:
        file.writelines(f'[[model]]\nid = "{model}"\n' for model in (decoder, nowhere))
    outcome = fieldguide("build", "--config", alone)
    *warnings, line = outcome.err.splitlines()
    assert (outcome.exit, outcome.out, len(warnings)) == (1, "", 2)
    assert line.startswith("Error: Expected to analyse every model, found 2 that cannot be: ")
    assert f": {nowhere.name}: Expected a folder with a model at" in line
    assert "decoder: Expected decoder to attend to tokens before and after each token" in line
    assert len(pages(alone, "bert")) > LAYERS * HEADS


def test_corpora_that_a_model_cannot_read_keep_no_other_from_being_analysed_and_built(alone, checkpoint, tmp_path):
    """A treebank whose one sentence is longer than the inputs of a model, and a file that is not there for two."""
    words = [word(at, "sea", at - 1, "dep" if at > 1 else "root") for at in range(1, POSITIONS + 1)]
    text, treebank, nowhere = alone.parent / "twelve.txt", written(tmp_path, words), tmp_path / "nowhere.txt"
    read = {"alpha": (text, nowhere), "beta": (text, treebank), "gamma": (text,), "delta": (nowhere,)}
    for name, corpora in read.items():
        model = shutil.copytree(checkpoint("bert"), tmp_path / name)
        with alone.open("a") as file:
            file.write(f'[[model]]\nid = "{model}"\ncorpora = {[str(corpus) for corpus in corpora]}\n')
    outcome = fieldguide("build", "--config", alone)
    *before, line = outcome.err.splitlines()
    said = (
        f"alpha and delta: Expected a corpus file at {nowhere}, found: No such file or directory; check the path.",
        "beta: Expected sentences that fit into one input in t.conllu, found none among 1; raise --max-tokens.",
    )
    assert (outcome.exit, outcome.out) == (1, "")
    assert [warning.removeprefix("Warning: ") for warning in before if "Expected" in warning] == [*said]
    told = "; ".join(sentence.rstrip(".") for sentence in said)
    assert line == f"Error: Expected to analyse every model, found 3 that cannot be: {told}. All else is built."
    assert pages(alone, "gamma") == pages(alone, "bert")
    assert [pages(alone, name) for name in ("alpha", "beta", "delta")] == [set()] * 3
