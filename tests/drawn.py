"""What Vega makes, and the scripts and styles of all pages, are made once for all tests, which build many sites.

`python -m tests.drawn FOLDER WORDS` is the command `fieldguide` with these words, which takes part in that.
"""

import hashlib
import json
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import vl_convert

import generator
from generator.cli.app import main
from generator.site import content

FOLDER = "FIELDGUIDE_TESTS_DRAWN"
"""The variable that names the folder to processes that a test starts."""


@cache
def code() -> str:
    """The checksum of the program that runs, which may be a copy with additions."""
    found = hashlib.sha256()
    for path in sorted(Path(generator.__file__).parent.rglob("*.*")):
        if path.suffix in (".py", ".js", ".css"):
            found.update(path.read_bytes())
    return found.hexdigest()


@contextmanager
def kept_in(folder: Path) -> Iterator[None]:
    """Meanwhile what Vega makes is kept in a folder, and taken from there; so is what every page loads."""
    folder.mkdir(exist_ok=True)

    def once(make: Callable[..., Any], *of: str) -> Callable[..., Any]:
        def kept(*given: Any, **told: Any) -> Any:
            asked = json.dumps([make.__name__, given, told, of], default=str)
            path = folder / hashlib.sha256(asked.encode()).hexdigest()
            if not path.exists():
                draft = path.with_suffix(f".{os.getpid()}")
                draft.write_bytes(pickle.dumps(make(*given, **told)))
                draft.replace(path)
            return pickle.loads(path.read_bytes())

        return kept

    with pytest.MonkeyPatch.context() as patch:
        for name in ("javascript_bundle", "svg_to_png", "vega_to_svg", "vegalite_to_vega"):
            patch.setattr(vl_convert, name, once(getattr(vl_convert, name)))
        patch.setattr(content, "loaded", once(content.loaded, code()))
        yield


@contextmanager
def kept() -> Iterator[None]:
    """The same, where the tests have named a folder."""
    with kept_in(Path(os.environ[FOLDER])) if FOLDER in os.environ else nullcontext():
        yield


if __name__ == "__main__":
    with kept_in(Path(sys.argv.pop(1))):
        main()
