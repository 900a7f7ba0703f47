"""Calls of hand-written pages with checks, so that a wrong argument or a failure is one sentence."""

from collections.abc import Callable
from inspect import signature

from generator.errors import SiteError, told
from generator.pages.written.in_markdown import text


def checked(name: str, call: Callable[..., str], source: str, problems: list[str] | None) -> Callable[..., str]:
    """The call with checks: wrong arguments raise an error that says in one sentence what was given."""
    arguments = signature(call)
    kinds = [one.annotation for one in arguments.parameters.values() if one.kind is not one.KEYWORD_ONLY]

    def safe(*keys: object, **named: object) -> str:
        found = ", ".join([*map(repr, keys), *(f"{one}={value!r}" for one, value in named.items())])
        try:
            arguments.bind(*keys, **named)
            fits = all(isinstance(one, kinds[min(at, len(kinds) - 1)]) for at, one in enumerate(keys))
        except TypeError:
            fits = False
        if not fits or not all(isinstance(one, str) for one in named.values()):
            where = "generator/pages/written/knowledge.py"
            raise SiteError(
                f"Expected {name}(...) with arguments as in {where}, found {found or 'nothing'}; correct the page."
            )
        try:
            return call(*keys, **named)
        except Exception as error:
            if isinstance(error, SiteError) or problems is None:
                raise
            problems.append(f"{source}: {name}({found}) could not be made: {told(error)}")
            return text(problems[-1])

    return safe
