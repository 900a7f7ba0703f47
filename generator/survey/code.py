"""Checksums of what code computes: of functions, classes and constants, and of all that they reach in this package.

Where a definition lies, and what it and its local values are called, count for nothing; nor do comments, docstrings and
the messages of errors. What a function is given by another one counts by the type that it names for it. A module that
decides no number says so in a constant `NO_NUMBER`, with the reason: what it defines is not followed. What asks topics
for something (`generator.topics.of_topics`) uses what they give.
"""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from generator.home import PACKAGE
from generator.survey.statement import Definition, Meaning, Reader
from generator.topics import OTHERS, TOPICS

NO_NUMBER = "It compares code, and computes nothing that is stored."
FLAG = "NO_NUMBER"
EFFECTS, ALL = "", "*"
"""What stands for the statements of a module that bind no name, and for all that it defines."""
USED = "·"
"""What stands in a text for anything of this package."""


class Outside(NamedTuple):
    """Something of another package."""

    name: str


Target = Definition | Outside | str | None
"""What a name stands for: a text is a module of this package, None anything else, such as a local value."""


NOTHING = Meaning("", ())
GIVEN = Definition("generator.topics", "of_topics")
"""The function that gives what topics call by a name."""


class Code:
    """The modules of this package and of others with topics: each is read once, when something in it is reached."""

    def __init__(self, package: Path = PACKAGE) -> None:
        self._packages = {package.name: package, **OTHERS}
        self.module = cache(self._read)
        self.path = cache(self._find)
        self._meaning = cache(lambda definition: self.module(definition.module).meaning(definition.name))

    def checksum(self, roots: Iterable[str]) -> str:
        """Checksum of definitions such as "generator.models.load.load" and of all that they reach.

        They are numbered as they are met: what uses what counts, no name does. Raises KeyError for an unknown name.
        """
        reached = self._reached(roots)
        numbers = {definition: number for number, definition in enumerate(reached)}
        entries = [(meaning.text, [numbers[use] for use in meaning.uses]) for meaning in reached.values()]
        return hashlib.sha256(repr(entries).encode()).hexdigest()

    def closure(self, roots: Iterable[str]) -> set[str]:
        """The whole names of these definitions and of all that they reach, without those that decide no number."""
        return {".".join(definition) for definition, meaning in self._reached(roots).items() if meaning is not NOTHING}

    def _reached(self, roots: Iterable[str]) -> dict[Definition, Meaning]:
        """In the order in which they are met, depth first."""
        found: dict[Definition, Meaning] = {}
        waiting = [self._root(root) for root in roots][::-1]
        while waiting:
            definition = waiting.pop()
            if definition not in found:
                found[definition] = self._meaning(definition)
                waiting += reversed(found[definition].uses)
        return found

    def _root(self, name: str) -> Definition:
        module, _, own = name.rpartition(".")
        found = self.target(module, own)
        if not isinstance(found, Definition):
            raise KeyError(name)
        return found

    def target(self, module: str, name: str | None) -> Target:
        """What stands under a name of a module, or the module itself."""
        if module.partition(".")[0] not in self._packages:
            return Outside(f"{module}.{name}" if name else module)
        if name is None:
            return module
        inside = f"{module}.{name}"
        return (self.module(module).target(name) if self.path(module) else None) or (
            inside if self.path(inside) else None
        )

    def _read(self, name: str) -> "_Module":
        path = self.path(name)
        assert path, f"no module of {', '.join(self._packages)}: {name}"
        return _Module(self, name, ast.parse(path.read_text(encoding="utf-8")))

    def _find(self, name: str) -> Path | None:
        first, *rest = name.split(".")
        if first not in self._packages:
            return None
        place = self._packages[first].joinpath(*rest)
        return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)


CODE = Code()
"""The modules of this program."""


def whole_name(defined: Any) -> str:
    """The name of a function or class with its module; of a method, that of its class."""
    return f"{defined.__module__}.{defined.__qualname__.partition('.')[0]}"


class _Module:
    """The statements of a module by what they bind, and what they mean."""

    def __init__(self, code: Code, name: str, tree: ast.Module) -> None:
        self.code, self.name = code, name
        self._imports: dict[str, tuple[str, str | None]] = {}
        self._statements: dict[str, list[tuple[int, ast.stmt]]] = {}  # what binds a name, as which of all it binds
        self._read: dict[int, Meaning] = {}
        for statement in _decisive(tree):
            if isinstance(statement, ast.Import | ast.ImportFrom):  # in a function, too
                self._imports |= _imported(statement)
        for statement in tree.body:
            if not isinstance(statement, ast.Import | ast.ImportFrom):
                for place, bound in enumerate(dict.fromkeys(_bound(statement)) or (EFFECTS,)):
                    self._statements.setdefault(bound, []).append((place, statement))

    def target(self, name: str) -> Target:
        """What stands under a name."""
        if name in self._statements:
            return Definition(self.name, name)
        return self.code.target(*self._imports[name]) if name in self._imports else None

    def known(self, name: str) -> tuple[str, list[Definition]]:
        """What stands in a text for a name with its attributes, and what that is of this package."""
        first, *attributes = name.split(".")
        target = self.target(first)
        while attributes and isinstance(target, str) and (inner := self.code.target(target, attributes[0])):
            target = inner
            del attributes[0]
        if target is None:
            return name, []
        if isinstance(target, Outside):
            return ".".join((target.name, *attributes)), []
        return ".".join((USED, *attributes)), [Definition(target, ALL) if isinstance(target, str) else target]

    def given(self, call: ast.Call) -> list[Definition]:
        """What topics of this package give to a call that asks for it; those of others make only their own stale."""
        if not isinstance(call.func, ast.Name) or self.target(call.func.id) != GIVEN:
            return []
        part, constant = (str(arg.value) for arg in call.args if isinstance(arg, ast.Constant))
        ours = (topic for topic in TOPICS if topic.package.startswith(f"{PACKAGE.name}."))
        return [Definition(f"{our.package}.{name}", constant) for our in ours for name in getattr(our, part)]

    @property
    def decides(self) -> bool:
        """Whether something in it may decide a number."""
        return FLAG not in self._statements

    def meaning(self, name: str) -> Meaning:
        """What the statements that bind a name say, and what the module does when it is loaded."""
        if not self.decides:
            return NOTHING
        if name == ALL:
            return Meaning(ALL, tuple(Definition(self.name, statement) for statement in self._statements))
        found = [self._meaning(place, statement) for place, statement in self._statements[name]]
        if found == [NOTHING]:
            return NOTHING
        loaded = (Definition(self.name, EFFECTS),) if EFFECTS in self._statements and name != EFFECTS else ()
        text = hashlib.sha256(repr([meaning.text for meaning in found]).encode()).hexdigest()
        return Meaning(text, (*(use for meaning in found for use in meaning.uses), *loaded))

    def _meaning(self, place: int, statement: ast.stmt) -> Meaning:
        if self._is_record(statement):
            return NOTHING
        if id(statement) not in self._read:  # one that binds several names is read once
            self._read[id(statement)] = Reader(self).read(statement)
        text, uses = self._read[id(statement)]
        return Meaning(f"{place} {text}", uses)

    def _is_record(self, statement: ast.stmt) -> bool:
        """Whether a constant is made by a module that decides no number, as the record of a number is."""
        made = getattr(statement, "value", None)
        if not isinstance(made, ast.Call) or not isinstance(made.func, ast.Name):
            return False
        by = self.target(made.func.id)
        return isinstance(by, Definition) and not self.code.module(by.module).decides


def _decisive(node: ast.AST) -> Iterator[ast.stmt]:
    """All statements in a node; texts that stand alone and what is only read by type checkers are taken out of it."""
    for inside in (getattr(node, name, ()) for name in ("body", "orelse", "handlers", "finalbody", "cases")):
        if isinstance(inside, list):
            inside[:] = [statement for statement in inside if not (_is_text(statement) or _is_for_types(statement))]
            for statement in inside:
                yield statement
                yield from _decisive(statement)


def _bound(statement: ast.stmt) -> list[str]:
    """The names that a statement of a module binds there."""
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return [statement.name]
        case ast.Assign():
            parts: list[Any] = [*statement.targets]
        case ast.AnnAssign() | ast.AugAssign():
            parts = [statement.target]
        case _:
            parts = [statement]
    nodes = [node for part in parts for node in ast.walk(part)]
    return [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)] + [
        node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)
    ]


def _imported(node: ast.Import | ast.ImportFrom) -> dict[str, tuple[str, str | None]]:
    """Name -> the module that is imported under it, or the module and what it calls what is imported."""
    if isinstance(node, ast.ImportFrom):
        return {name.asname or name.name: (str(node.module), name.name) for name in node.names}
    names = {name.asname or name.name.partition(".")[0]: name for name in node.names}
    return {name: (alias.name if alias.asname else name, None) for name, alias in names.items()}


def _is_for_types(node: ast.stmt) -> bool:
    """Whether a statement is the block `if TYPE_CHECKING`, which is skipped when the code runs."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _is_text(node: ast.stmt) -> bool:
    """Whether a statement is a docstring, or a text below a field or a constant."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
