"""Reads one statement of a module: what it says, without the names of what it uses and of local values."""

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

NO_NUMBER = "It compares code, and computes nothing that is stored."


class Definition(NamedTuple):
    """What a module calls by a name."""

    module: str
    name: str


class Meaning(NamedTuple):
    """What a definition says, without the names of what it uses."""

    text: str
    """Of a definition, a checksum of it."""
    uses: tuple[Definition, ...]
    """What it uses of this package, in the order of its text."""


class Names(Protocol):
    """What names mean in a module."""

    def known(self, name: str) -> tuple[str, list[Definition]]:
        """What stands in a text for a name with its attributes, and what that is of this package."""

    def given(self, call: ast.Call) -> list[Definition]:
        """What a call gives that it does not name."""


LOCAL = ":"
"""What stands in a text before the depth of a scope and the number of a name in it."""
Used = tuple[int, str]
"""A place in a text, and the name with its attributes that stands there, such as "means.average"."""


@dataclass
class _Scope:
    """The module, a function, a class or a comprehension."""

    kind: type[ast.AST]
    bound: set[str] = field(default_factory=set)
    named: set[str] = field(default_factory=set)
    """Names that count: of parameters, which calls may give, and those that other scopes bind."""
    places: list[Used] = field(default_factory=list)
    """Where its names are bound."""
    used: list[Used] = field(default_factory=list)
    inner: list[Used] = field(default_factory=list)
    """In a class, what its methods use, which do not see its names."""


class Reader:
    """Writes down what a statement says, and which names in it are those of the module."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._text: list[str] = []
        self._scopes = [_Scope(ast.Module)]
        self._given: list[Definition] = []

    def read(self, statement: ast.stmt) -> Meaning:
        """What a statement of the module says."""
        self._tell(statement)
        uses: list[Definition] = []
        # Scopes hand on what they use when they end, so these are not in the order of the text.
        for place, name in sorted(self._scopes[0].used):
            self._text[place], used = self._names.known(name)
            uses += used
        return Meaning("\n".join(self._text), (*uses, *self._given))

    def _tell(self, node: Any) -> None:
        if isinstance(node, ast.AST):
            TOLD.get(type(node), Reader._fields)(self, node)
        elif isinstance(node, list):
            self._text.append("[")
            for part in node:
                self._tell(part)
            self._text.append("]")
        else:
            self._text.append(repr(node))

    def _fields(self, node: ast.AST) -> None:
        self._text.append(type(node).__name__)
        for name in node._fields:
            self._tell(getattr(node, name, None))

    def _name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            # What stands here is written over once it is known which scope binds the name.
            self._scopes[-1].used.append((len(self._text), node.id))
            self._text.append(node.id)
        else:
            self._bind(node.id)

    def _attribute(self, node: ast.Attribute) -> None:
        names, of = [node.attr], node.value
        while isinstance(of, ast.Attribute):
            names, of = [of.attr, *names], of.value
        if isinstance(of, ast.Name):
            self._scopes[-1].used.append((len(self._text), ".".join((of.id, *names))))
            self._text.append(".".join((of.id, *names)))
        else:
            self._fields(node)

    def _call(self, node: ast.Call) -> None:
        self._given += self._names.given(node)
        self._fields(node)

    def _bind(self, name: str | None) -> None:
        """A name is bound here; in the module, what it is counts for nothing."""
        if name and len(self._scopes) > 1:
            self._bind_in(self._scopes[-1], name)

    def _bind_in(self, scope: _Scope, name: str) -> None:
        scope.bound.add(name)
        scope.places.append((len(self._text), name))
        self._text.append(name)

    def _named(self, node: ast.ExceptHandler | ast.MatchAs | ast.MatchStar) -> None:
        self._bind(node.name)
        node.name = None
        self._fields(node)

    def _elsewhere(self, node: ast.Global | ast.Nonlocal) -> None:
        self._scopes[-1].named.update(node.names)
        self._fields(node)

    def _walrus(self, node: ast.NamedExpr) -> None:
        """Binds a name around the comprehensions in which it stands."""
        self._text.append("NamedExpr")
        self._bind_in(next(scope for scope in self._scopes[::-1] if scope.kind not in COMPREHENSIONS), node.target.id)
        self._tell(node.value)

    def _parameter(self, node: ast.arg) -> None:
        self._bind(node.arg)
        self._scopes[-1].named.add(node.arg)
        self._tell(node.annotation)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        """A function: decorators and default values belong to what is around it."""
        self._bind(getattr(node, "name", None))
        self._tell([getattr(node, "decorator_list", []), node.args.defaults, node.args.kw_defaults])
        node.args.defaults, node.args.kw_defaults = [], []
        self._within(node, node.args, getattr(node, "returns", None), node.body)

    def _class(self, node: ast.ClassDef) -> None:
        self._bind(node.name)
        self._tell([node.decorator_list, node.bases, node.keywords])
        self._within(node, node.body)

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        """What a comprehension goes through first belongs to what is around it."""
        self._tell(node.generators[0].iter)
        node.generators[0].iter = ast.Constant(None)
        self._within(node, *(getattr(node, name) for name in node._fields))

    def _within(self, node: ast.AST, *inside: Any) -> None:
        """Tell what stands in a scope, and hand on to what is around it the names that it does not bind."""
        self._text.append(type(node).__name__)
        scope = _Scope(type(node))
        self._scopes.append(scope)
        for part in inside:
            self._tell(part)
        self._number(scope)
        around = self._scopes[-2]
        self._scopes.pop()
        free = [(place, name) for place, name in scope.used if name.partition(".")[0] not in scope.bound]
        (around.inner if around.kind is ast.ClassDef else around.used).extend([*free, *scope.inner])

    def _number(self, scope: _Scope) -> None:
        """Write numbers for the local names of a scope, as they come in its text."""
        if scope.kind is ast.ClassDef:
            return
        own = scope.bound - scope.named
        places = sorted(used for used in [*scope.places, *scope.used] if used[1].partition(".")[0] in own)
        numbers = {name: at for at, name in enumerate(dict.fromkeys(name.partition(".")[0] for _, name in places))}
        for place, name in places:
            local, dot, rest = name.partition(".")
            self._text[place] = f"{LOCAL}{len(self._scopes)}.{numbers[local]}{dot}{rest}"

    def _nothing(self, _: ast.AST) -> None:
        """What an import binds is told where it is used."""

    def _raise(self, node: ast.Raise) -> None:
        """An error without its message."""
        self._text.append("Raise")
        self._tell(node.exc.func if isinstance(node.exc, ast.Call) else node.exc)


COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
TOLD: dict[type[ast.AST], Callable[[Reader, Any], None]] = {
    ast.Name: Reader._name,
    ast.Attribute: Reader._attribute,
    ast.Call: Reader._call,
    ast.ExceptHandler: Reader._named,
    ast.MatchAs: Reader._named,
    ast.MatchStar: Reader._named,
    ast.NamedExpr: Reader._walrus,
    **dict.fromkeys((ast.Global, ast.Nonlocal), Reader._elsewhere),
    ast.arg: Reader._parameter,
    ast.FunctionDef: Reader._function,
    ast.AsyncFunctionDef: Reader._function,
    ast.Lambda: Reader._function,
    ast.ClassDef: Reader._class,
    **dict.fromkeys(COMPREHENSIONS, Reader._comprehension),
    **dict.fromkeys((ast.Import, ast.ImportFrom, ast.Load, ast.Store), Reader._nothing),
    ast.Raise: Reader._raise,
}
"""What is told otherwise than by its fields."""
