"""Workers that are killed at random moments: whatever they had done, the results are the same bytes."""

import os
import random
import signal
import time
from pathlib import Path
from threading import Timer

import pytest

from generator.analysis import analyze
from generator.config import Analysis
from generator.jobs.executors import LOCAL, Where
from generator.jobs.job import Job, observe
from generator.jobs.work import TRIES
from generator.models.source import locate
from generator.progress import Report
from tests.cli.command import write_corpus
from tests.reports import Telling
from tests.results.samples import contents

DEATHS = 3
"""How many workers must have died, in as many analyses as that takes."""
MOST = 20
"""Analyses, of which one usually kills a worker or two."""
DRAWN = "drawn"
"""A file beside the results: the seed, and within how many seconds a worker is killed, more than its job may take."""


def killed_at_random(job: Job, report: Report) -> None:
    """The work of a job, whose first two workers die at a time that is drawn, unless they are done by then."""
    seed, seconds = (job.stored.parents[1] / DRAWN).read_text().split()
    begun = job.stored.parents[1] / f"begun.{job.place.name}"
    with begun.open("a") as file:
        file.write(".")
    tries = begun.stat().st_size
    draw = random.Random(f"{seed} {job.title} {tries}").uniform(0, float(seconds))
    timer = Timer(draw, os.kill, (os.getpid(), signal.SIGKILL))
    if tries < TRIES:
        timer.start()
    observe(job, report)
    timer.cancel()


def test_results_are_the_same_bytes_whenever_workers_were_killed(
    checkpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = tuple(str(write_corpus(tmp_path / f"{count}.txt", count)) for count in (4, 3))
    source = locate(str(checkpoint("bert")))
    settings = Analysis(corpora=texts, documents=4, max_tokens=64, studies=False, device="cpu")
    start = time.monotonic()
    folder, _ = analyze(source, settings, tmp_path / "local", Telling(), where=LOCAL)
    seconds = time.monotonic() - start
    monkeypatch.setattr("generator.analysis.observe", killed_at_random)
    deaths = seed = 0
    while deaths < DEATHS and seed < MOST:
        seed += 1
        place, report = tmp_path / str(seed), Telling()
        place.mkdir()
        (place / DRAWN).write_text(f"{seed} {seconds}")
        made, _ = analyze(source, settings, place / "results", report, where=Where("processes", 2))
        assert contents(made) == contents(folder), (seed, seconds)
        deaths += sum("A worker died" in note for note in report.notes)
    assert deaths >= DEATHS
