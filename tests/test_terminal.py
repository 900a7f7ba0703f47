"""What a person or a log is told while something long goes on."""

import re
import time

import pytest

from generator.terminal import TerminalReport, _duration, _standing
from tests.limits import SECONDS

OFTEN = 0.01


def until(capsys: pytest.CaptureFixture[str], share: str) -> list[str]:
    """The next lines of the log, up to the second one that tells this share."""
    found = ""
    for _ in range(int(SECONDS / OFTEN)):
        out, err = capsys.readouterr()
        assert out == ""
        found += err
        if found.count(share) > 1:
            break
        time.sleep(OFTEN)
    return found.splitlines()


def test_a_log_gets_lines_with_the_share_done_and_the_time_left_also_while_nothing_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with TerminalReport(every=OFTEN).bar("reading \x1b[31m", 8) as advance:
        assert set(until(capsys, ": 0 % done")) == {"reading \\u001b[31m: 0 % done"}
        for percent in (25, 50, 75):
            advance(2)
            for line in until(capsys, f": {percent} % done")[-2:]:
                assert re.fullmatch(rf"reading [^ ]*: {percent} % done, about [1-9][0-9]* s left", line)


def test_a_log_gets_no_line_when_all_is_done(capsys: pytest.CaptureFixture[str]) -> None:
    with TerminalReport(every=OFTEN).bar("reading", 8) as advance:
        advance(4)
        until(capsys, ": 50 % done")
        advance(4)
        with TerminalReport(every=OFTEN).bar("beside", 8):
            until(capsys, "beside: 0 % done")  # a line that is under way has come by now
            assert {line for line in until(capsys, "beside: 0 % done") if "beside" not in line} == set()


def test_a_log_gets_no_line_before_its_time(capsys: pytest.CaptureFixture[str]) -> None:
    with TerminalReport(every=3600).bar("reading", 2) as advance:
        advance(1)
        advance(1)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("done", "seconds", "text"),
    [
        (0, 60, "0 % done"),
        (1, 60, "0 % done, about 16 h 39 min left"),
        (250, 60, "25 % done, about 3 min left"),
        (999, 60, "99 % done, about 1 s left"),
        (999, 0.001, "99 % done, about 1 s left"),
    ],
)
def test_what_is_left_is_never_nothing(done: int, seconds: float, text: str) -> None:
    assert _standing(done, 1000, seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "0 s"), (119.4, "119 s"), (120, "2 min"), (3569, "59 min"), (3571, "1 h 0 min"), (9000, "2 h 30 min")],
)
def test_a_time_is_told_in_the_unit_that_a_person_would_use(seconds: float, text: str) -> None:
    assert _duration(seconds) == text
