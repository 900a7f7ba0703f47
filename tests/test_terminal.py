"""What a person or a log is told while something long goes on."""

import re

import pytest

from generator.terminal import TerminalReport, _duration


def test_a_log_gets_a_line_with_the_share_done_and_the_time_left(capsys: pytest.CaptureFixture[str]) -> None:
    with TerminalReport(every=0).bar("reading \x1b[31m", 8) as advance:
        for _ in range(4):
            advance(2)
    out, err = capsys.readouterr()
    lines = err.splitlines()
    assert out == ""
    found = [re.findall(r": ([0-9]+) % done, about [0-9]+ s left$", line) for line in lines]
    assert found == [["25"], ["50"], ["75"], ["100"]]
    assert lines[-1].endswith(", about 0 s left")
    assert all(line.startswith("reading ") and "\x1b" not in line for line in lines)


def test_a_log_gets_no_line_before_its_time(capsys: pytest.CaptureFixture[str]) -> None:
    with TerminalReport(every=3600).bar("reading", 2) as advance:
        advance(1)
        advance(1)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "0 s"), (119.4, "119 s"), (120, "2 min"), (3569, "59 min"), (3571, "1 h 0 min"), (9000, "2 h 30 min")],
)
def test_a_time_is_told_in_the_unit_that_a_person_would_use(seconds: float, text: str) -> None:
    assert _duration(seconds) == text
