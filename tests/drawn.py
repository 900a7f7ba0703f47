"""What Vega makes is made once for all tests, which build many sites that show the same.

`python -m tests.drawn FOLDER WORDS` is the command `fieldguide` with these words, which takes part in that.
"""

import hashlib
import json
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import vl_convert

from generator.cli.app import main


@contextmanager
def kept_in(folder: Path) -> Iterator[None]:
    """Meanwhile what Vega makes is kept in a folder, and taken from there."""
    folder.mkdir(exist_ok=True)

    def once(make: Callable[..., Any]) -> Callable[..., Any]:
        def kept(*given: Any, **told: Any) -> Any:
            asked = json.dumps([make.__name__, given, told])
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
        yield


if __name__ == "__main__":
    with kept_in(Path(sys.argv.pop(1))):
        main()
