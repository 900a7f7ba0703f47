"""How many jobs run at a time: a job counts as its threads and its memory."""

from dataclasses import dataclass

import pytest

from generator.jobs.executors import Where, claims, run
from generator.jobs.processes import at_a_time
from tests.errands import Errand, do
from tests.reports import Telling

GB = 1 << 30
SMALL = {"CPU": 4.0, "memory": 8.0 * GB}
WIDE = {"CPU": 64.0, "memory": 16.0 * GB}
DEEP = {"CPU": 8.0, "memory": 512.0 * GB}
GRAPHICS = {"CPU": 2.0, "memory": 4.0 * GB, "GPU": 1.0}


@dataclass(frozen=True)
class Asking(Errand):
    """A job of other needs."""

    memory: int = GB
    gpu: bool = False
    threads: int = 1


@pytest.mark.parametrize(("threads", "expected"), [(1, 64), (8, 8), (20, 3), (64, 1), (128, 1)])
def test_as_many_jobs_run_as_cores_have_room_for_their_threads(
    monkeypatch: pytest.MonkeyPatch, threads: int, expected: int
) -> None:
    monkeypatch.setattr("generator.jobs.processes.os.cpu_count", lambda: 64)
    monkeypatch.setattr("generator.jobs.processes.free_memory", lambda: 1000 * GB)
    assert at_a_time(None, GB, threads) == expected
    assert at_a_time(5, GB, threads) == 5, "as asked"
    assert at_a_time(None, 500 * GB, threads) == min(expected, 2), "memory counts, too"


@pytest.mark.parametrize(("threads", "workers", "told"), [(2, None, True), (1, None, False), (2, 1, False)])
def test_whoever_did_not_ask_for_workers_is_told_that_threads_leave_room_for_few_jobs(
    tmp_path, threads: int, workers: int | None, told: bool
) -> None:
    report = Telling()
    run(do, [Asking(tmp_path, "one", threads=threads)], Where("processes", workers), report)
    assert any("because each computes with 2 threads" in note for note in report.notes) == told


@pytest.mark.parametrize(
    ("machines", "needs", "cpus", "memory"),
    [
        ([SMALL, WIDE], {"threads": 16, "memory": 10 * GB}, 16, 10),
        ([SMALL], {"threads": 16, "memory": 2 * GB}, 4, 2),
        ([WIDE, DEEP], {"threads": 64, "memory": 100 * GB}, 8, 100),
        ([WIDE, SMALL], {"threads": 64, "memory": 100 * GB}, 64, 16),
        ([WIDE, GRAPHICS], {"threads": 64, "memory": 10 * GB, "gpu": True}, 2, 4),
    ],
    ids=["as needed", "more cores than there are", "memory first", "more than there is", "where the GPU is"],
)
def test_a_job_asks_ray_for_its_threads_and_memory_and_no_more_than_one_machine_has(
    tmp_path, machines: list[dict[str, float]], needs: dict[str, int], cpus: int, memory: int
) -> None:
    asked = claims(Asking(tmp_path, "one", **needs), machines)
    assert asked == {"num_cpus": cpus, "memory": memory * GB, "num_gpus": int(needs.get("gpu", False))}
