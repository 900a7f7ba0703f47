"""Where the files that come with the program lie: beside the package in a checkout, inside it when installed."""

from pathlib import Path

_PACKAGE = Path(__file__).parent
HOME = _PACKAGE / "_home" if (_PACKAGE / "_home").is_dir() else _PACKAGE.parent

DATA = HOME / "data"
TEMPLATES = HOME / "templates"
