"""Few fixtures: tiny encoders, built once, and public data where a variable says where it lies."""

import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
import torch
from filelock import FileLock

from generator.attention.anatomy import Anatomy, examine
from generator.models.encoder import Encoder
from generator.models.names import slug
from tests.analysed import BARE, PLAIN, analyse_bare, analyse_plain
from tests.encoders import loaded, write
from tests.ready import Ready

torch.set_num_threads(1)  # tiny tensors: a second thread costs more than it gives

GIVEN = {name: os.environ.pop(name, "") for name in ("FIELDGUIDE_DATA", "FIELDGUIDE_PAPERS")}
"""Variable -> where tests find public corpora, and the notes on papers from which published numbers were taken. The
program under test is not told of them.
"""


@pytest.fixture(scope="session")
def common(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gives a folder that all processes share."""
    root = tmp_path_factory.getbasetemp()
    return root.parent if "PYTEST_XDIST_WORKER" in os.environ else root


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Gives the folder of a family's tiny encoder, as `save_pretrained` leaves it."""
    root = tmp_path_factory.mktemp("encoders")
    return cache(lambda family: write(family, root / family))


@pytest.fixture(scope="session")
def encoder(checkpoint: Callable[[str], Path]) -> Callable[[str], Encoder]:
    """Gives a family's tiny encoder, loaded from its folder the way a user's is."""
    return cache(lambda family: loaded(checkpoint(family)))


@pytest.fixture(scope="session")
def anatomy(encoder: Callable[[str], Encoder]) -> Callable[[str], Anatomy]:
    """Gives the anatomy of a family's tiny encoder, which is from then on set to be observed."""
    return cache(lambda family: examine(encoder(family)))


@pytest.fixture(scope="session")
def plain(common: Path) -> Path:
    """Gives the stored results of a tiny encoder of whole words, made once for all processes; nobody changes them."""
    return _once(common / "plain", PLAIN, analyse_plain)


@pytest.fixture(scope="session")
def unstudied(common: Path) -> Path:
    """Gives the same of a tiny encoder without studies, for tests of how a site is built and not of what it shows."""
    return _once(common / "unstudied", BARE, analyse_bare)


def _once(root: Path, model: str, make: Callable[[Path, Path], Path]) -> Path:
    with FileLock(f"{root}.lock"):
        done = root / "results" / slug(model)
        if not done.exists():
            root.mkdir(exist_ok=True)
            make(root, root / "results")
    return done


@pytest.fixture(scope="session")
def ready() -> Iterator[Ready]:
    """Runs modules in processes of their own, which need not load the libraries."""
    with Ready() as running:
        yield running


@pytest.fixture(scope="session")
def public() -> Callable[[str], Path]:
    """Gives a path among public corpora; the test is skipped where it is absent."""
    return lambda name: _given("FIELDGUIDE_DATA", name)


@pytest.fixture(scope="session")
def papers() -> list[str]:
    """Gives the lines of the notes on papers; the test is skipped where there are none."""
    return _given("FIELDGUIDE_PAPERS").read_text(encoding="utf-8").splitlines()


def _given(variable: str, name: str = "") -> Path:
    path = Path(GIVEN[variable]) / name
    if not GIVEN[variable] or not path.exists():
        pytest.skip(
            f"to run this, set {variable} to {f'a folder that holds {name}' if name else 'the notes on papers'}"
        )
    return path
