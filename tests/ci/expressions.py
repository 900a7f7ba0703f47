"""Expressions of a workflow, as far as ours use them: names, texts, comparisons, and, or, not, and some functions."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

TOKEN = re.compile(r"\s*('(?:[^']|'')*'|&&|\|\||==|!=|[!(),]|[A-Za-z_][\w.-]*|\d+)")
HOLE = re.compile(r"\$\{\{((?:(?!\}\}).)*)\}\}", re.DOTALL)
WORDS = {"&&": " and ", "||": " or ", "!": " not "}


class Expressions:
    """What names and functions mean in one step."""

    def __init__(self, contexts: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]]) -> None:
        self._contexts = contexts
        self._functions = {
            "fromJSON": json.loads,
            "format": lambda text, *given: text.format(*given),
            "always": lambda: True,
            **functions,
        }

    def text(self, value: str) -> Any:
        """A value of the file with its holes filled; one that is nothing but a hole keeps its kind."""
        if whole := HOLE.fullmatch(value.strip()):
            return self.value(whole[1])
        return HOLE.sub(lambda hole: _written(self.value(hole[1])), value)

    def holds(self, condition: str) -> bool:
        """Whether an `if` holds, which may be written without its braces."""
        whole = HOLE.fullmatch(condition.strip())
        return bool(self.value(whole[1] if whole else condition))

    def value(self, expression: str) -> Any:
        """The value of what stands between braces."""
        tokens = TOKEN.findall(expression)
        python = " ".join(self._token(token, tokens[at + 1 : at + 2] == ["("]) for at, token in enumerate(tokens))
        return eval(python, {"get": self._get, "call": self._functions, "__builtins__": {}})

    def _token(self, token: str, called: bool) -> str:
        if token[0] == "'":
            return repr(token[1:-1].replace("''", "'"))
        if token[0].isalpha() and token not in ("true", "false"):
            return f"call[{token!r}]" if called else f"get({token!r})"
        return WORDS.get(token, token)

    def _get(self, name: str) -> Any:
        found: Any = self._contexts
        for part in name.split("."):
            found = found.get(part, "") if isinstance(found, Mapping) else ""
        return found


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
