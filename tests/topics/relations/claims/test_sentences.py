"""What treebanks say against names for attention to special tokens, and to periods and commas."""

from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from generator.claims.gate.maps import LEAN, PAIR, TARGET, WINDOW, moves
from generator.claims.gate.statement import Check, Statement
from generator.numbers.number import Number
from generator.numbers.writing import written
from generator.topics.relations.claims import sentences
from generator.topics.relations.claims.sentences import against

NAN = float("nan")
NAMES = ("punctuation.outside", "twin.punctuation.outside", "cls.outside", "sep.outside")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What is said against a statement on head 3-1 by treebanks, by name, each with shares by NAMES; "own" is ours."""
    monkeypatch.setattr(sentences, "is_own", lambda name, _: name == "own")

    def ask(about: str, kind: str = TARGET, place: tuple[int, int] = (3, 1), **treebanks: tuple[float, ...]) -> Any:
        rows = [
            {
                "corpus": corpus,
                "name": name,
                "layer": 3,
                "head": 1,
                "value": value,
                "low": value,
                "high": value,
                "n": 90,
            }
            for corpus, both in treebanks.items()
            for name, value in zip(NAMES, both, strict=False)
        ]
        corpora = [SimpleNamespace(name=name, sha256="") for name in treebanks]
        results = SimpleNamespace(
            manifest=SimpleNamespace(corpora=corpora), of_study=lambda table, study: pd.DataFrame(rows)
        )
        results.once = lambda make: make(results)
        first = Check("range", True, "it is 0.6")
        said = Statement(place, kind=kind, about=about, number=Number(0.6, 0.59, 0.61, 70), checks=(first,), rows=())
        return against(results)(said)  # type: ignore[arg-type]

    return ask


@pytest.mark.parametrize(("head", "given"), [(0.081, False), (0.0811, True), (0.02, False), (0.4, True), (NAN, True)])
@pytest.mark.parametrize("kind", [TARGET, LEAN, PAIR])
def test_a_head_that_gives_a_token_no_more_than_its_twin_in_sentences_has_no_name_for_it(
    asked: Any, head: float, given: bool, kind: str
) -> None:
    about = "attention.punctuation" if kind != PAIR else "attention.sep+attention.punctuation"
    found = asked(about, kind, gum=(head, 0.081), ewt=(0.5, 0.06))
    assert found.given == given
    assert len(found.checks) == 3
    if not given:
        assert found.refused.asks == "elsewhere"
        told = f"in gum words give {written(Number(head, head, head, 90))}, and 0.081 in an untrained twin"
        assert found.refused.found == told
        assert [row["corpus"] for row in found.of("head_facts")] == ["ewt", "ewt", "gum", "gum"]


@pytest.mark.parametrize(("kind", "refuses"), [(LEAN, True), (TARGET, False)])
@pytest.mark.parametrize(
    ("rivals", "above"), [((0.31, 0.1), "cls"), ((0.1, 0.31), "sep"), ((0.4, 0.5), "sep"), ((0.3, 0.3), ""), ((), "")]
)
def test_a_head_does_not_lean_to_a_token_where_sentences_give_another_more(
    asked: Any, kind: str, refuses: bool, rivals: tuple[float, ...], above: str
) -> None:
    """As mpnet 7-5: periods and commas in articles, [CLS] in sentences; a name says only that most goes there."""
    found = asked("attention.punctuation", kind, gum=(0.3, 0.06, *rivals))
    assert found.given == (not (refuses and above))
    if refuses and above:
        (missed,) = [check for check in found.checks if not check.met]
        assert missed.found == f"in gum words give 0.3, and {max(rivals)} to {above}"


@pytest.mark.parametrize(
    ("kind", "gum", "ewt", "only"),
    [
        (TARGET, 0.5, 0.31, " in running text"),
        (TARGET, 0.3, 0.31, " in running text"),
        (TARGET, 0.3, 0.3, ""),
        (PAIR, 0.5, 0.31, ""),
    ],
)
def test_a_name_is_of_running_text_alone_where_a_treebank_gives_another_token_more(
    asked: Any, kind: str, gum: float, ewt: float, only: str
) -> None:
    said = asked("attention.punctuation", kind, gum=(0.3, 0.06, gum, 0.1), ewt=(0.3, 0.06, ewt, 0.1))
    assert (said.given, said.only) == (True, only)


@pytest.mark.parametrize(("gum", "moves_to"), [(0.31, {"ewt": (0.32, 0.3), "gum": (0.31, 0.3)}), (0.3, {})])
def test_that_a_head_turns_elsewhere_in_sentences_all_treebanks_must_say(
    asked: Any, gum: float, moves_to: dict[str, tuple[float, float]]
) -> None:
    """As mpnet 6-11; of 7-9 the sentences of GUM leave it open."""
    said = asked("attention.punctuation", LEAN, gum=(0.3, 0.06, gum, 0.1), ewt=(0.3, 0.06, 0.32, 0.1))
    assert not said.given
    found = {move.corpus: (move.share.value, move.own.value) for move in moves(said) if move.column == "attention.cls"}
    assert found == moves_to


def test_our_own_treebank_is_heard_alone_and_not_beside_others(asked: Any) -> None:
    about = "attention.punctuation"
    assert not asked(about, own=(0.01, 0.08)).given
    assert asked(about, own=(0.01, 0.08), gum=(0.5, 0.08)).given


def test_without_a_twin_or_for_other_names_and_heads_nothing_is_asked(asked: Any) -> None:
    low = (0.01, 0.08)
    for about, kind, place in (
        ("attention.previous", TARGET, (3, 1)),
        ("before.2", WINDOW, (3, 1)),
        ("attention.punctuation", TARGET, (3, 2)),
    ):
        assert len(asked(about, kind, place, gum=low).checks) == 1
    assert len(asked("attention.punctuation").checks) == 1
