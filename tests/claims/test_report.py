"""`fieldguide claims` prints every claim of every stored model as a table, as JSON or as Markdown."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from html import unescape
from pathlib import Path

import numpy as np
import pytest

from generator.claims.all import CLAIMS
from generator.claims.report import HEADINGS
from generator.corpora import files
from generator.results.tables import TABLES
from generator.results.writing import write
from tests.claims.made import DOCUMENTS, HEADS, LAYERS, SPREAD, TEXT, by_layer, joined, text
from tests.cli.command import Outcome, fieldguide
from tests.limits import SECONDS
from tests.results.samples import corpus_of, manifest

ROOT = Path(__file__).resolve().parents[2]
IDS = [claim.id for claim in CLAIMS]
KEYS = {"id", "model", "verdict", "reason", "value", "low", "high", "n", "threshold", "published"}
VERDICTS = {"holds", "fails", "inconclusive", "not testable"}
HIGH, LOW = "Sep | High", "sep-low"
"""A name that a Markdown table must escape, and a plain one."""
HELP = """
import sys
from generator.cli.app import main
sys.argv = ["fieldguide", "claims", "--help"]
try:
    main()
except SystemExit as end:
    print(end.code or 0, *sorted(sys.modules))
"""
Claims = Callable[..., Outcome]


def store(place: Path, model: str, slug: str, separators: float) -> None:
    """Twelve layers of two heads on four documents; layers 6 to 10 give separators about so much."""
    spread = np.array(0.01) * SPREAD
    made = joined(text({"attention.sep": by_layer({(6, 10): separators}) * (1 + spread)}))
    empty = {name: TABLES[name].empty_table().to_pandas() for name in ("heads", "layers", "examples")}
    read = corpus_of(files.TEXT, TEXT, documents=len(DOCUMENTS))
    write(place, manifest(slug, model=model, layers=LAYERS, heads=HEADS, corpora=(read,)), made | empty)


def settings(root: Path) -> Path:
    """A project whose results lie in two places."""
    path = root / "fieldguide.toml"
    path.write_text('results = "mine"\nalso = ["theirs"]\n', encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def claims(tmp_path_factory: pytest.TempPathFactory) -> Claims:
    """Runs the command on two models, one in each place."""
    root = tmp_path_factory.mktemp("project")
    store(root / "mine", LOW, "sep-low", 0.2)
    store(root / "theirs", HIGH, "sep___high", 0.8)
    config = settings(root)
    return lambda *words: fieldguide("claims", *words, "--config", config)


def of(*models: str) -> list[str]:
    """The options that ask for these models."""
    return [word for model in models for word in ("--model", model)]


@pytest.fixture(scope="module")
def lines(claims: Claims) -> list[dict]:
    """The claims of both models, as strict JSON says them."""
    outcome = claims("--format", "json")
    assert (outcome.exit, outcome.err) == (0, "")
    return json.loads(outcome.out, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))


def cells(row: str) -> list[str]:
    """The cells of a Markdown row: a pipe ends one unless a backslash stands before it."""
    assert row.startswith("|")
    assert row.endswith("|")
    return [unescape(re.sub(r"\\(.)", r"\1", cell.strip())) for cell in re.split(r"(?<!\\)\|", row)[1:-1]]


def columns(table: str) -> list[list[str]]:
    """The cells of a plain table, cut where its headings begin."""
    starts = [match.start() for match in re.finditer(r"\S+(?: \S+)*", table.splitlines()[0])]
    ends = [*starts[1:], None]
    return [[row[start:end].strip() for start, end in zip(starts, ends, strict=True)] for row in table.splitlines()]


def test_json_is_a_list_of_every_claim_for_every_model(lines: list[dict]) -> None:
    assert isinstance(lines, list)
    assert [(line["id"], line["model"]) for line in lines] == [(name, model) for name in IDS for model in (LOW, HIGH)]
    for line in lines:
        assert line.keys() >= KEYS
        assert line["verdict"] in VERDICTS
        assert isinstance(line["reason"], str)
        assert line["reason"].endswith(".")
        assert isinstance(line["n"], int)
        assert isinstance(line["threshold"], str)
        assert all(isinstance(line[name], float | int | None) for name in ("value", "low", "high"))
        assert all(isinstance(number["value"], float | int) for number in line["published"])


def test_what_has_no_number_is_null_in_json_and_a_dash_elsewhere(lines: list[dict], claims: Claims) -> None:
    unknown = {(line["id"], line["model"]) for line in lines if line["value"] is None}
    assert unknown, "these results hold no treebank"
    without = {line["verdict"] for line in lines if line["value"] is None}
    assert without <= {"not testable", "fails"}, "another part may fail; none may hold"
    assert all(line["value"] is None for line in lines if line["verdict"] == "not testable" and not line["parts"])
    for form, read in (("table", columns), ("markdown", lambda out: list(map(cells, out.splitlines())))):
        rows = [row for row in read(claims("--format", form).out) if (row[0], row[1]) in unknown]
        assert len(rows) == len(unknown)
        assert {tuple(row[4:7]) for row in rows} == {("-", "-", "-")}


def test_a_verdict_follows_the_numbers_that_were_stored(lines: list[dict]) -> None:
    """C04: more than half of the attention of the middle layers goes to separators."""
    found = {line["model"]: line for line in lines if line["id"] == "C04"}
    assert {model: line["verdict"] for model, line in found.items()} == {LOW: "fails", HIGH: "holds"}
    for model, stored in ((LOW, 0.2), (HIGH, 0.8)):
        assert found[model]["value"] == pytest.approx(stored)
        assert found[model]["low"] < stored < found[model]["high"]
        assert found[model]["n"] == len(DOCUMENTS)


def test_table_and_markdown_say_the_same_in_the_order_of_json(lines: list[dict], claims: Claims) -> None:
    plain = columns(claims().out)
    marked = claims("--format", "markdown").out.splitlines()
    assert claims("--format", "table").out == claims().out
    assert plain[0] == cells(marked[0]) == list(HEADINGS)
    assert cells(marked[1]) == ["---"] * len(HEADINGS)
    assert plain[1:] == [cells(row) for row in marked[2:]]
    assert [row[:3] for row in plain[1:]] == [[line["id"], line["model"], line["verdict"]] for line in lines]
    for row, line in zip(plain[1:], lines, strict=True):
        if line["value"] is not None:
            step = 0 if line["low"] is None else 0.06 * (line["high"] - line["low"])
            shown = float(row[4].replace(",", ""))
            assert shown == pytest.approx(line["value"], rel=0.005, abs=step)
            for bound in next(claim for claim in CLAIMS if claim.id == line["id"]).parts[0].against:
                assert (shown < bound, shown > bound) == (line["value"] < bound, line["value"] > bound)
            assert row[6] == str(line["n"])
        published = [float(number.replace(",", "")) for number in row[8].split(", ") if number != "-"]
        assert len(published) == min(3, len(line["published"]))


def test_a_pipe_in_a_name_is_escaped_in_markdown_alone(claims: Claims) -> None:
    marked = claims(*of(HIGH), "--format", "markdown").out.splitlines()
    assert all(len(cells(row)) == len(HEADINGS) for row in marked)
    assert all(r"| Sep \| High |" in row for row in marked[2:])
    assert HIGH in claims(*of(HIGH)).out
    assert "\\" not in claims(*of(HIGH)).out


@pytest.mark.parametrize("asked", [[HIGH], [LOW], [HIGH, LOW], [LOW.upper()]], ids=str)
def test_models_are_those_asked_for_in_that_order(claims: Claims, asked: list[str]) -> None:
    found = [line["model"] for line in json.loads(claims(*of(*asked), "--format", "json").out)]
    assert found == [{LOW.upper(): LOW}.get(model, model) for _ in IDS for model in asked]


@pytest.mark.parametrize("asked", [["nobody/nothing"], [LOW, "nobody/nothing"]], ids=str)
@pytest.mark.parametrize("form", ["table", "json", "markdown"])
def test_a_model_that_is_not_stored_is_one_line_and_nothing_is_printed(
    claims: Claims, asked: list[str], form: str
) -> None:
    outcome = claims(*of(*asked), "--format", form)
    assert (outcome.exit, outcome.out) == (1, "")
    assert outcome.err == (
        f"Error: Expected results of nobody/nothing among the stored ones ({LOW}, {HIGH}), found none; make them "
        "with: fieldguide analyze nobody/nothing\n"
    )


@pytest.mark.parametrize("asked", [[], ["bert"]], ids=str)
def test_without_any_results_it_says_how_to_make_some(tmp_path: Path, asked: list[str]) -> None:
    outcome = fieldguide("claims", *of(*asked), "--config", settings(tmp_path))
    assert (outcome.exit, outcome.out, len(outcome.err.splitlines())) == (1, "", 1)
    assert outcome.err.startswith("Error: Expected results of")
    assert "(none)" in outcome.err
    assert outcome.err.endswith(f"fieldguide analyze {' '.join(asked) or 'MODEL'}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["fieldguide.toml"], "nothing is made"


def test_another_format_and_a_missing_settings_file(claims: Claims, tmp_path: Path) -> None:
    usage = claims("--format", "csv")
    assert (usage.exit, usage.out) == (2, "")
    missing = fieldguide("claims", "--config", tmp_path / "nowhere.toml")
    assert (missing.exit, missing.out, len(missing.err.splitlines())) == (1, "", 1)
    assert "nowhere.toml" in missing.err


def test_its_help_loads_no_torch_and_no_scipy() -> None:
    done = subprocess.run(
        [sys.executable, "-c", HELP], cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=True
    )
    usage, _, last = done.stdout.rstrip().rpartition("\n")
    code, *modules = last.split()
    assert usage.startswith("Usage: fieldguide claims")
    assert "--format" in usage
    assert code == "0"
    assert not {"torch", "transformers", "scipy", "numpy", "pandas"} & set(modules)
