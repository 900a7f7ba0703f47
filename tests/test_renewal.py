"""A frozen file is written where something changed, and only then; the command says what its test would complain of."""

import pytest

from tests.renewal import Renewal


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "frozen.txt"
    path.write_text("old\n")
    return path


def test_where_nothing_changed_nothing_is_written(file):
    assert Renewal([], "the same, laid out otherwise\n", "2 numbers").write(file) == "Nothing changed: 2 numbers."
    assert file.read_text() == "old\n"


def test_what_changed_is_written_and_told(file):
    said = Renewal(["one was 1 and is 2.", "two is new."], "new\n", "2 numbers").write(file)
    assert said == "one was 1 and is 2.\ntwo is new.\nfrozen.txt is renewed."
    assert file.read_text() == "new\n"


def test_a_test_complains_in_the_same_words_and_names_the_command():
    complaint = Renewal(["one was 1 and is 2."], "new\n", "1 number").complaint("tests.frozen")
    assert complaint == "one was 1 and is 2.\nIf this is meant, run python -m tests.frozen."
