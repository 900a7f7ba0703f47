"""The names of `generator` under that of the distribution.

A file `generator.py` in the working directory would be imported in place of the program; here the folder beside this
one is.
"""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

_PLACE = Path(__file__).resolve().parents[1] / "generator"
_known = sys.modules.get("generator")
if _known is None:
    _found = spec_from_file_location("generator", _PLACE / "__init__.py", submodule_search_locations=[str(_PLACE)])
    assert _found
    assert _found.loader
    _known = sys.modules["generator"] = module_from_spec(_found)
    _found.loader.exec_module(_known)
elif Path(_known.__file__ or "").resolve().parent != _PLACE:
    raise ImportError(
        f"Expected the package generator of Fieldguide, found {_known.__file__} imported before; rename that file, or "
        "import fieldguide first."
    )
_names = _known
__version__: str = _names.__version__
__all__ = list(_names.__all__)


def __getattr__(name: str) -> Any:
    return getattr(_names, name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
