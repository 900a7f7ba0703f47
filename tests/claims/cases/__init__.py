"""Results on which every claim must hold, fail, stay open, or not be testable: `CASES` of all files of this folder.

The name of a case begins with the verdict; what follows a comma says why.
"""

from importlib import import_module
from pkgutil import iter_modules

from tests.claims.made import Tables

FILES = [import_module(f"{__name__}.{module.name}").CASES for module in iter_modules(__path__)]
CASES: dict[str, dict[str, list[Tables]]] = {name: cases for file in FILES for name, cases in file.items()}
"""Claim -> case -> tables."""
assert len(CASES) == sum(map(len, FILES)), "the cases of a claim stand in one file"
