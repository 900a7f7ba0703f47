"""A machine without the compiler."""

import importlib.util
import sys

from generator.numbers import compiled


def without_compiler(monkeypatch, module):
    """A second copy of a module, made as if numba were not installed."""
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.setitem(sys.modules, compiled.__name__, _copy(monkeypatch, compiled))
    return _copy(monkeypatch, module)


def _copy(monkeypatch, module):
    specification = importlib.util.spec_from_file_location(f"{module.__name__}_without_compiler", module.__file__)
    copy = importlib.util.module_from_spec(specification)
    monkeypatch.setitem(sys.modules, specification.name, copy)
    specification.loader.exec_module(copy)
    return copy
