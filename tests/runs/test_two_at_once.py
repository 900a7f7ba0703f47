"""Of two runs in one folder, the second says who holds it and waits; the lock of a killed run holds nobody up."""

import os
import platform
import re
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from generator.lock import alone
from tests.cli.command import ROOT, fieldguide
from tests.limits import SECONDS
from tests.results.samples import contents
from tests.runs.workshop import commands, furnish

HOLD = """
import sys, time
from functools import partial
from pathlib import Path
from generator.lock import alone
sys.argv[1:] = ["analyze", "bert"]
with alone(Path({folder!r}), partial(print, flush=True), beside={beside}):
    print("held", flush=True)
    time.sleep({seconds})
"""
HELD = {
    "analyze": "results/bert",
    "finetune": "tuned/bert/rte/pretrained/",
    "disable": "results/bert@disable.rte",
    "compare": "results/bert@compare.again.four.txt",
    "pretrain": "run/",
    "curve": "results/small@curve",
    "build": "project/site",
}
"""Command -> the folder that it holds; a slash at the end where the lock lies inside."""


@contextmanager
def held(place: str):
    """Another process that holds a folder; it is killed when this one says that it waits."""
    folder, beside = Path(place), not place.endswith("/")
    code = HOLD.format(folder=str(folder), beside=beside, seconds=SECONDS)
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == b"held\n"
        try:
            yield holder
        finally:
            holder.kill()


def kill_when_waited_for(holder: subprocess.Popen, folder: Path) -> threading.Thread:
    """Kills the holder half a second after a run says that it waits; the folder does not change in between."""
    before = contents(folder)

    def watch() -> None:
        while "Waiting for" not in getattr(sys.stderr, "getvalue", str)():  # a text where a command is heard
            time.sleep(0.05)
        time.sleep(0.5)
        after = contents(folder)
        holder.kill()
        assert after == before

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    return thread


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return furnish(tmp_path_factory.mktemp("workshop"))


@pytest.mark.parametrize("name", HELD)
def test_the_second_run_says_who_holds_the_folder_and_goes_on_when_that_one_is_killed(root, name):
    place = f"{root}/{HELD[name]}"
    with held(place) as holder:
        thread = kill_when_waited_for(holder, Path(place))
        outcome = fieldguide(*commands(root)[name])
        assert holder.wait(SECONDS) < 0, "it was killed, not done"
        thread.join(SECONDS)
    who = f"process {holder.pid} on {platform.node()} (fieldguide analyze bert)"
    assert f"Waiting for {who} to finish with {Path(place)}.\n" in outcome.err
    assert (outcome.exit, len(outcome.out.splitlines())) == (0, 1), outcome.err
    assert list(root.rglob("*.lock")) == []


def test_two_analyses_at_once_leave_what_one_leaves_and_the_second_computes_nothing(root, tmp_path, ready):
    words = list(commands(root)["analyze"])
    words[words.index("--results") + 1] = str(tmp_path / "both")
    both = [ready.run(tmp_path / said, "generator", *words) for said in ("first", "second")]
    assert [one.wait(SECONDS) for one in both] == [0, 0], [one.err for one in both]
    words[words.index("--results") + 1] = str(tmp_path / "one")
    assert fieldguide(*words).exit == 0
    assert contents(tmp_path / "both") == contents(tmp_path / "one")
    assert sum("All studies are up to date" in one.err for one in both) == 1


def test_a_process_may_hold_a_folder_twice_and_lets_go_of_it_last(tmp_path):
    with alone(tmp_path / "one", print):
        with alone(tmp_path / "one", print):
            pass
        waiting = subprocess.Popen(
            [sys.executable, "-c", HOLD.format(folder=str(tmp_path / "one"), beside=False, seconds=0)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        first = waiting.stdout.readline()
    assert re.match(rf"Waiting for process {os.getpid()} on .* to finish with {tmp_path}/one\.$", first)
    assert waiting.communicate(timeout=SECONDS)[0] == "held\n"


def test_a_folder_that_cannot_be_held_is_one_sentence(tmp_path):
    out = tmp_path / "file"
    out.write_text("in the way")
    outcome = fieldguide("pretrain", "--config", "data/models/small.toml", "--texts", tmp_path, "--out", out)
    said = f"Expected a folder to write to at {out}, found: File exists; choose another folder."
    assert (outcome.exit, outcome.err) == (1, f"Error: {said}\n")
