"""Checksums of code without its comments and docstrings: of modules and of all that they import from this package."""

import ast
import hashlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from generator.home import PACKAGE

LEFT_OUT = (
    "generator.config",
    "generator.corpora.catalogue",
    "generator.errors",
    "generator.lock",
    "generator.models.source",
    "generator.numbers.quantity",
    "generator.progress",
    "generator.results.manifest",
    "generator.results.tables",
)
"""Modules that decide no number: settings, corpora and the files of a model are compared by content, and a change of
tables raises their format. Modules of records, whose names end in `quantities`, say what numbers are called and are
left out as well.
"""


class Module(NamedTuple):
    """What is compared of a module."""

    meaning: str
    """Checksum of the parsed code without docstrings, other texts that stand alone, and imports for type checkers."""
    imports: frozenset[str]
    """The modules of this package that it imports."""


class Code:
    """The modules of a package, each of which is read once."""

    def __init__(self, package: Path = PACKAGE) -> None:
        self._package = package
        self._module = lru_cache(maxsize=None)(self._read)

    def checksum(self, roots: Iterable[str]) -> str:
        """Checksum of these modules and of what they import, directly or not."""
        found = {name: self._module(name).meaning for name in self.closure(roots)}
        return hashlib.sha256(repr(sorted(found.items())).encode()).hexdigest()

    def closure(self, roots: Iterable[str]) -> set[str]:
        """The names of these modules and of what they import."""
        known: set[str] = set()
        waiting = list(roots)
        while waiting:
            name = waiting.pop()
            if name not in known and name not in LEFT_OUT and not name.endswith("quantities"):
                known.add(name)
                waiting += self._module(name).imports
        return known

    def modules_below(self, folder: str) -> list[str]:
        """The names of all modules in a folder of the package, such as "experiments/curve"."""
        paths = sorted((self._package / folder).rglob("*.py"))
        names = (path.relative_to(self._package).with_suffix("") for path in paths)
        return [".".join((self._package.name, *name.parts)).removesuffix(".__init__") for name in names]

    def _read(self, name: str) -> Module:
        tree = ast.parse((self._path(name) or self._package / name).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            body = getattr(node, "body", None)
            if isinstance(body, list):
                node.body = [one for one in body if not (_is_text(one) or _is_for_types(one))]  # type: ignore[attr-defined]
        imports = frozenset(self._imports(tree))
        return Module(hashlib.sha256(ast.dump(tree).encode()).hexdigest(), imports)

    def _imports(self, tree: ast.Module) -> Iterable[str]:
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                yield from (one.name for one in node.names if self._path(one.name))
            elif isinstance(node, ast.ImportFrom) and node.module and self._path(node.module):
                inside = (f"{node.module}.{one.name}" for one in node.names)
                yield from (name if self._path(name) else node.module for name in inside)

    def _path(self, name: str) -> Path | None:
        """The file of a module of this package; None for any other name."""
        first, *rest = name.split(".")
        place = self._package.joinpath(*rest)
        if first != self._package.name:
            return None
        return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)


CODE = Code()
"""The modules of this program."""


def _is_for_types(node: ast.stmt) -> bool:
    """Whether a statement is the block `if TYPE_CHECKING`, which is skipped when the code runs."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _is_text(node: ast.stmt) -> bool:
    """Whether a statement is a docstring, or a text below a field or a constant."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
