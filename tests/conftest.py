"""Which process runs which tests; the fixtures are in `tests.fixtures`."""

import gc
import os
import shutil
import tempfile
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling

from tests.stems import KEPT, load

FIRST = (
    "tests/site/",
    "tests/topics/live/",
    "tests/jobs/",
    "tests/test_frozen.py",
    "tests/topics/learning/run/curve/",
    "tests/topics/tasks/run/finetune/",
    "tests/runs/test_disks_and_files.py",
    "tests/builds/test_made.py",
    "tests/builds/test_cached.py",
    "tests/builds/test_export.py",
    "tests/ci/test_walk.py",
    "tests/test_additions.py",
    "tests/topics/learning/run/pretrain/test_parallel.py",
    "tests/topics/compare/run/",
    "tests/topics/tasks/run/disable/",
)
"""Folders whose tests share what takes long to make, and files that take long; the longest first."""


class ByFolder(LoadFileScheduling):
    """Gives a process the tests of such a folder, or else of a file."""

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        return next((name for name in FIRST if file.startswith(name)), file)

    def _assign_work_unit(self, node: Any) -> None:
        """What takes long comes first: none is left for the end, when the other process has nothing to do."""
        if long := next((name for name in FIRST if name in self.workqueue), None):
            self.workqueue.move_to_end(long, last=False)
        super()._assign_work_unit(node)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling:
    """Which process runs which tests."""
    return ByFolder(config, log)


def pytest_configure(config: pytest.Config) -> None:
    """Load the fixtures, and the libraries with them, where tests run: not in the process that only hands them out."""
    if KEPT not in os.environ:
        os.environ[KEPT] = tempfile.mkdtemp()
        config.add_cleanup(lambda: shutil.rmtree(os.environ.pop(KEPT), ignore_errors=True))
    if not config.getoption("numprocesses", None):
        load()
        for name in ("tests.fixtures", "tests.pages.fixtures"):
            config.pluginmanager.import_plugin(name)


def pytest_collection_finish() -> None:
    """What is loaded by now stays: no collection of garbage looks through it again."""
    gc.freeze()
