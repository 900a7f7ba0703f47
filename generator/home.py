"""Where the files that come with the program lie: beside the package in a checkout, inside it when installed."""

from pathlib import Path

_PACKAGE = Path(__file__).parent
_HOME = _PACKAGE / "_home" if (_PACKAGE / "_home").is_dir() else _PACKAGE.parent

DATA = _HOME / "data"
TEMPLATES = _HOME / "templates"
