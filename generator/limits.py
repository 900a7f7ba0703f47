"""Limits that no honest input exceeds; checked when options are parsed, settings read and packed files opened."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from generator.errors import SettingsError

Member = TypeVar("Member")
MIN_TOKENS = 16
"""The fewest tokens of the longest input; with fewer, a fifth of a pair or more would be special tokens."""
MOST_SEED = 2**32 - 1
"""The greatest seed that every library takes."""
LONGEST = 4096
"""The most characters of a name or a path."""
SHOWN = 40
"""How many characters of a name or a path an error shows."""
MEMORY = Path("/proc/meminfo")
"""The file in which Linux says how much memory is free."""
MOST_UNPACKED, MOST_TIMES = 64 << 20, 200
"""Bytes to which any packed file may unpack; beyond that, how many times its own size it may unpack to."""
MOST_FILES, MOST_SETUP, MOST_WEIGHTS = 10_000, 1 << 30, 1 << 38
"""How many files a model on the hub may have; bytes of a file of its configuration or tokenizer, and of all weights."""


def check_text(found: object, where: str) -> None:
    """Check every text in settings or options. Raises SettingsError for one that cannot name a file or a model."""
    if isinstance(found, str):
        if len(found) > LONGEST:
            raise SettingsError(
                f"Expected texts of at most {LONGEST} characters in {where}, found one of {len(found)} that begins "
                f"with {found[:SHOWN]!r}; shorten it."
            )
        if "\0" in found or any("\ud800" <= mark <= "\udfff" for mark in found):
            raise SettingsError(f"Expected text in UTF-8 without NUL in {where}, found {found!a}; rename it.")
    elif isinstance(found, Mapping):
        check_text([*found, *found.values()], where)
    elif isinstance(found, Iterable):
        for item in found:
            check_text(item, where)


def free_memory() -> int | None:
    """Bytes of memory that are free on this machine; None if it does not say."""
    try:
        lines = dict(line.split(":", 1) for line in MEMORY.read_text().splitlines())
        # What is called kB there is 1024 bytes.
        return int(lines["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return None


def check_size(declared: int, packed: int) -> None:
    """Raises ValueError if a file of `packed` bytes declares more unpacked bytes than `most_unpacked` allows."""
    most = most_unpacked(packed)
    if declared > most:
        raise ValueError(f"more than {most >> 20} MiB packed into {packed} bytes, which no text and no map needs")


def checked(members: Iterable[Member], told: Callable[[Member], tuple[str, int]], packed: int) -> Iterator[Member]:
    """The members of an archive of `packed` bytes; each is counted, whether it is read or not, before it is given.

    `told` gives the name of a member and the size that it declares. Raises ValueError if one comes twice, or if
    together they are too large by `check_size`.
    """
    seen, total = set[str](), 0
    for member in members:
        name, size = told(member)
        if name in seen:
            raise ValueError(f"{name[:SHOWN]!r} twice")
        seen.add(name)
        total += size
        check_size(total, packed)
        yield member


def most_unpacked(packed: int) -> int:
    """How many bytes a file of `packed` bytes may unpack to."""
    return max(MOST_UNPACKED, MOST_TIMES * packed)
