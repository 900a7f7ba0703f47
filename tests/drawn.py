"""What Altair and Vega make, the scripts and styles of all pages, and the code of templates are made once for all
tests, which build many sites.
"""

import hashlib
import json
import os
import pickle
from collections.abc import Callable
from contextlib import nullcontext
from functools import cache, wraps
from pathlib import Path
from typing import Any

import vl_convert
from filelock import FileLock
from jinja2 import Environment

import generator
import generator.charts.compile as charts
from generator.site import fonts
from generator.site.models import maker
from tests.stems import KEPT

BY_VEGA = (
    *("javascript_bundle", "svg_to_png", "vega_to_scenegraph", "vega_to_svg", "vegalite_to_svg", "vegalite_to_vega"),
)

OPTIONS = (
    *("block_start_string", "block_end_string", "variable_start_string", "variable_end_string"),
    *("comment_start_string", "comment_end_string", "line_statement_prefix", "line_comment_prefix"),
    *("trim_blocks", "lstrip_blocks", "newline_sequence", "keep_trailing_newline"),
    *("optimized", "autoescape", "is_async", "sandboxed", "code_generator_class"),
)
"""What decides how an environment of Jinja compiles a template, beside its filters, tests and extensions."""


@cache
def keep() -> None:
    """From now on this process, and copies of it, keep what Altair and Vega make, and take it from there; so with what
    every page loads.
    """
    for name in BY_VEGA:
        setattr(vl_convert, name, _once(getattr(vl_convert, name)))
    fonts.cut = _once(fonts.cut, *map(fonts.made_of, fonts.FACES))
    code = _code()
    charts._made = cache(_once(charts.specification, code))
    maker.loaded = _once(maker.loaded, code)
    Environment.compile = _compiled(Environment.compile)


def _once(make: Callable[..., Any], *of: str) -> Callable[..., Any]:
    folder = Path(os.environ[KEPT])

    @wraps(make)
    def kept(*given: Any, **told: Any) -> Any:
        asked = json.dumps([make.__name__, given, told, of], default=str)
        path = folder / hashlib.sha256(asked.encode()).hexdigest()
        with nullcontext() if path.exists() else FileLock(f"{path}.lock"):
            if not path.exists():
                draft = path.with_suffix(f".{os.getpid()}")
                draft.write_bytes(pickle.dumps(make(*given, **told)))
                draft.replace(path)
        return pickle.loads(path.read_bytes())

    return kept


def _compiled(otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """Jinja's own, but a template is compiled once in a process for its text, its name, and all that an environment may
    set.
    """
    made: dict[object, Any] = {}

    @wraps(otherwise)
    def kept(self: Environment, source: Any, *named: Any, **told: Any) -> Any:
        of = (getattr(self, name) for name in (*OPTIONS, "filters", "tests", "extensions"))
        asked = source, named, *told.items(), *(tuple(one) if isinstance(one, dict) else one for one in of)
        if not isinstance(source, str):
            return otherwise(self, source, *named, **told)
        if asked not in made:
            made[asked] = otherwise(self, source, *named, **told)
        return made[asked]

    return kept


def _code() -> str:
    """The checksum of the program that runs, which may be a copy with additions."""
    found = hashlib.sha256()
    for path in sorted(Path(generator.__file__).parent.rglob("*.*")):
        if path.suffix in (".py", ".js", ".css"):
            found.update(path.read_bytes())
    return found.hexdigest()
