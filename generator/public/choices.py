"""What may be chosen, and what is said of anything else."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import TypeVar

from generator.errors import SettingsError

MANY, NEAR = 40, 6
"""If there are more than MANY names, an error lists only the NEAR ones that are most like the wrong one."""
Thing = TypeVar("Thing")


def among(chosen: Thing, offered: Iterable[Thing], what: str) -> Thing:
    """Check a choice; raises SettingsError for one that is not offered."""
    known = list(offered)
    if chosen not in known:
        names = [str(thing) for thing in known]
        if len(names) > MANY:
            names = get_close_matches(str(chosen), names, n=NEAR, cutoff=0)
        raise SettingsError(f"Expected {what} such as {', '.join(names)}, found {chosen!r}; choose another.")
    return chosen
