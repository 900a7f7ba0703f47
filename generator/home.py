"""Where the files that come with the program lie: beside the package in a checkout, inside it when installed."""

from pathlib import Path

NO_NUMBER = "Where files lie changes none of them."

PACKAGE = Path(__file__).parent
HOME = PACKAGE / "_home" if (PACKAGE / "_home").is_dir() else PACKAGE.parent

DATA = HOME / "data"
TEMPLATES = HOME / "templates"
