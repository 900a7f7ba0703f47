"""The program run on a wrong corpus, which must leave stored results alone."""

from collections.abc import Callable
from pathlib import Path

import pytest

from generator.results.writing import write
from tests.cli.command import Outcome, fieldguide
from tests.results.samples import contents, manifest, tables

Refusal = Callable[..., str]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A place with older results of the model."""
    write(tmp_path / "results", manifest("bert"), tables(rows=2))
    return tmp_path / "results"


@pytest.fixture
def run(results: Path) -> Callable[..., Outcome]:
    """Runs `fieldguide analyze` after which the results must be as they were, with nothing beside them."""

    def refused(*words: object) -> Outcome:
        before = contents(results)
        outcome = fieldguide("analyze", *words, "--force", "--results", results)
        assert contents(results) == before
        assert [path.name for path in results.iterdir()] == ["bert"]
        assert outcome.out == ""
        return outcome

    return refused


@pytest.fixture
def refusal(run: Callable[..., Outcome]) -> Refusal:
    """Gives the one line of an analysis that is refused with exit code 1."""

    def line_of(*words: object) -> str:
        outcome = run(*words)
        assert outcome.exit == 1
        text = outcome.err.removesuffix("\n")
        assert text.startswith("Error: Expected ")
        assert text.isprintable(), "one line, as a person reads it"
        return text

    return line_of
