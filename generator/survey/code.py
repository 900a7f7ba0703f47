"""Checksums of what code computes: of functions, classes and constants, and of all that they reach in this package.

Where a definition lies and what it is called count for nothing; nor do comments, docstrings and the messages of errors.
What a function is given by another one counts by the type that it names for it. A module that decides no number says so
in a constant `NO_NUMBER`, with the reason: what it defines is not followed.
"""

import ast
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

from generator.home import PACKAGE

NO_NUMBER = "It compares code, and computes nothing that is stored."
FLAG = "NO_NUMBER"
EFFECTS, ALL = "", "*"
"""What stands for the statements of a module that bind no name, and for all that it defines."""
USED = ast.Name("·", ast.Load())
"""What stands in a text for anything of this package."""


class Definition(NamedTuple):
    """What a module calls by a name."""

    module: str
    name: str


class Outside(NamedTuple):
    """Something of another package."""

    name: str


Target = Definition | Outside | str | None
"""What a name stands for: a text is a module of this package, None anything else, such as a local value."""


class Meaning(NamedTuple):
    """What a definition says, without the names of what it uses."""

    text: str
    """Of a definition, a checksum of it."""
    uses: tuple[Definition, ...]
    """What it uses of this package, in the order of its text."""


NOTHING = Meaning("", ())


class Code:
    """The modules of a package, each of which is read once, when something in it is reached."""

    def __init__(self, package: Path = PACKAGE) -> None:
        self._package = package
        self.module = cache(self._read)
        self.path = cache(self._find)
        self._meaning = cache(lambda one: self.module(one.module).meaning(one.name))

    def checksum(self, roots: Iterable[str]) -> str:
        """Checksum of definitions such as "generator.models.load.load" and of all that they reach.

        They are numbered as they are met: what uses what counts, no name does. Raises KeyError for an unknown name.
        """
        reached = self._reached(roots)
        numbers = {one: number for number, one in enumerate(reached)}
        told = [(meaning.text, [numbers[use] for use in meaning.uses]) for meaning in reached.values()]
        return hashlib.sha256(repr(told).encode()).hexdigest()

    def closure(self, roots: Iterable[str]) -> set[str]:
        """The whole names of these definitions and of all that they reach, without those that decide no number."""
        return {".".join(one) for one, meaning in self._reached(roots).items() if meaning is not NOTHING}

    def _reached(self, roots: Iterable[str]) -> dict[Definition, Meaning]:
        """In the order in which they are met, depth first."""
        found: dict[Definition, Meaning] = {}
        waiting = [self._root(root) for root in roots][::-1]
        while waiting:
            one = waiting.pop()
            if one not in found:
                found[one] = self._meaning(one)
                waiting += reversed(found[one].uses)
        return found

    def _root(self, name: str) -> Definition:
        module, _, own = name.rpartition(".")
        found = self.target(module, own)
        if not isinstance(found, Definition):
            raise KeyError(name)
        return found

    def target(self, module: str, name: str | None) -> Target:
        """What stands under a name of a module, or the module itself."""
        if module.partition(".")[0] != self._package.name:
            return Outside(f"{module}.{name}" if name else module)
        if name is None:
            return module
        inside = f"{module}.{name}"
        return (self.module(module).target(name) if self.path(module) else None) or (
            inside if self.path(inside) else None
        )

    def _read(self, name: str) -> "_Module":
        path = self.path(name)
        assert path, f"no module of {self._package.name}: {name}"
        return _Module(self, name, ast.parse(path.read_text(encoding="utf-8")))

    def _find(self, name: str) -> Path | None:
        first, *rest = name.split(".")
        place = self._package.joinpath(*rest)
        known = (place.with_suffix(".py"), place / "__init__.py") if first == self._package.name else ()
        return next((path for path in known if path.is_file()), None)


CODE = Code()
"""The modules of this program."""


def whole_name(one: Any) -> str:
    """The name of a function or class with its module; of a method, that of its class."""
    return f"{one.__module__}.{one.__qualname__.partition('.')[0]}"


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

    @property
    def decides(self) -> bool:
        """Whether something in it may decide a number."""
        return FLAG not in self._statements

    def meaning(self, name: str) -> Meaning:
        """What the statements that bind a name say, and what the module does when it is loaded."""
        if not self.decides:
            return NOTHING
        if name == ALL:
            return Meaning(ALL, tuple(Definition(self.name, one) for one in self._statements))
        found = [self._meaning(place, statement) for place, statement in self._statements[name]]
        if found == [NOTHING]:
            return NOTHING
        loaded = (Definition(self.name, EFFECTS),) if EFFECTS in self._statements and name != EFFECTS else ()
        text = hashlib.sha256(repr([one.text for one in found]).encode()).hexdigest()
        return Meaning(text, (*(use for one in found for use in one.uses), *loaded))

    def _meaning(self, place: int, statement: ast.stmt) -> Meaning:
        if self._is_record(statement):
            return NOTHING
        if id(statement) not in self._read:  # one that binds several names is read once
            reader = _Reader(self)
            self._read[id(statement)] = Meaning(ast.dump(reader.visit(statement)), tuple(reader.uses))
        text, uses = self._read[id(statement)]
        return Meaning(f"{place} {text}", uses)

    def _is_record(self, statement: ast.stmt) -> bool:
        """Whether a constant is made by a module that decides no number, as the record of a number is."""
        made = getattr(statement, "value", None)
        if not isinstance(made, ast.Call) or not isinstance(made.func, ast.Name):
            return False
        by = self.target(made.func.id)
        return isinstance(by, Definition) and not self.code.module(by.module).decides


class _Scope(NamedTuple):
    """A function, a class or a comprehension, and what it binds."""

    names: frozenset[str]
    of_class: bool


class _Reader(ast.NodeTransformer):
    """Takes the names of this package out of a statement, and keeps what they stand for in the order of the text."""

    def __init__(self, module: _Module) -> None:
        self._module = module
        self._scopes: list[_Scope] = []
        self._done: dict[int, tuple[ast.AST, ast.AST]] = {}
        self.uses: list[Definition] = []

    def visit(self, node: ast.AST) -> ast.AST:
        """What takes the place of a node."""
        return self._done[id(node)][1] if id(node) in self._done else super().visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if isinstance(node.ctx, ast.Load):
            return self._known(self._target(node), node)
        return node if self._scopes else ast.Name("", node.ctx)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        target = self._target(node)
        return self._known(target, node) if target else self.generic_visit(node)

    def visit_Import(self, _: ast.Import) -> None:
        """Nothing takes its place: what it binds is told where it is used."""

    def visit_ImportFrom(self, _: ast.ImportFrom) -> None:
        """As above."""

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        error = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        return ast.Raise(cast("ast.expr", self.visit(error)) if error else None)  # without its message

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._within(node, [*node.decorator_list, *_defaults(node)], [*_parameters(node), *_bound(*node.body)])

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return self._within(node, _defaults(node), _parameters(node))

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        around = [*node.decorator_list, *node.bases, *(one.value for one in node.keywords)]
        return self._within(node, around, _bound(*node.body))

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        return self._comprehension(node)

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        return self._comprehension(node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        return self._comprehension(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        return self._comprehension(node)

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> ast.AST:
        return self._within(node, [node.generators[0].iter], _bound(*(one.target for one in node.generators)))

    def _within(self, node: ast.AST, around: Sequence[ast.AST], bound: Sequence[str]) -> ast.AST:
        """A node with a scope of its own that binds names; what is `around` it is no part of that scope."""
        if not self._scopes and isinstance(node, ast.FunctionDef | ast.ClassDef):
            node.name = ""
        self._done |= {id(one): (one, self.visit(one)) for one in around}  # kept, so that no other node has its id
        self._scopes.append(_Scope(frozenset(bound), isinstance(node, ast.ClassDef)))
        self.generic_visit(node)
        self._scopes.pop()
        return node

    def _target(self, node: ast.AST) -> Target:
        code = self._module.code
        if isinstance(node, ast.Name):
            inner = self._scopes[-1:]
            seen = [one for one in self._scopes if not one.of_class or one in inner]
            if any(node.id in one.names for one in seen):
                return None
            return self._module.target(node.id)
        of = self._target(node.value) if isinstance(node, ast.Attribute) else None
        if isinstance(node, ast.Attribute) and isinstance(of, str | Outside):
            return code.target(of, node.attr) if isinstance(of, str) else Outside(f"{of.name}.{node.attr}")
        return None

    def _known(self, target: Target, node: ast.AST) -> ast.AST:
        """What takes the place of a node that stands for something: its name, if that is another package's."""
        if isinstance(target, Outside):
            return ast.Name(target.name, ast.Load())
        if target is None:
            return node
        self.uses.append(target if isinstance(target, Definition) else Definition(target, ALL))
        return USED


def _decisive(node: ast.AST) -> Iterator[ast.stmt]:
    """All statements in a node; texts that stand alone and what is only read by type checkers are taken out of it."""
    for inside in (getattr(node, field, ()) for field in ("body", "orelse", "handlers", "finalbody", "cases")):
        if isinstance(inside, list):
            inside[:] = [one for one in inside if not (_is_text(one) or _is_for_types(one))]
            for one in inside:
                yield one
                yield from _decisive(one)


def _bound(*nodes: ast.AST) -> list[str]:
    """The names that nodes bind in the scope in which they stand."""
    found = []
    for node in nodes:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found.append(node.name)
            case ast.Name(ctx=ast.Store()):
                found.append(node.id)
            case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                found += [one.target.id for one in ast.walk(node) if isinstance(one, ast.NamedExpr)]
            case ast.Import() | ast.ImportFrom():
                pass  # what is imported is known by where it comes from
            case _:
                found += [name] if isinstance(name := getattr(node, "name", None), str) else []  # of an error
                found += _bound(*ast.iter_child_nodes(node))
    return found


def _imported(node: ast.Import | ast.ImportFrom) -> dict[str, tuple[str, str | None]]:
    """Name -> the module that is imported under it, or the module and what it calls what is imported."""
    if isinstance(node, ast.ImportFrom):
        return {one.asname or one.name: (str(node.module), one.name) for one in node.names}
    return {
        one.asname or one.name.partition(".")[0]: (one.name if one.asname else one.name.partition(".")[0], None)
        for one in node.names
    }


def _parameters(node: ast.FunctionDef | ast.Lambda) -> list[str]:
    return [one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)]


def _defaults(node: ast.FunctionDef | ast.Lambda) -> list[ast.expr]:
    return [*node.args.defaults, *filter(None, node.args.kw_defaults)]


def _is_for_types(node: ast.stmt) -> bool:
    """Whether a statement is the block `if TYPE_CHECKING`, which is skipped when the code runs."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _is_text(node: ast.stmt) -> bool:
    """Whether a statement is a docstring, or a text below a field or a constant."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
