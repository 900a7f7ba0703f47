"""What a study takes of the inputs that it asks for, gathered by document until its tables are made."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from generator.attention.observed import Observed
from generator.errors import TooLongError
from generator.studies.procedure import Asked, Tables, Watcher

Taken = TypeVar("Taken")


class Gathered(Generic[Taken]):
    """Takes something of every input that is asked for; a document has at most one of each name."""

    def __init__(self, asked: Sequence[Asked], take: Callable[[Asked, Observed], Taken]) -> None:
        self.asked = asked
        self._take = take
        self._found: dict[str, dict[str, Taken]] = {}

    def add(self, one: Asked, seen: Observed) -> None:
        """Take what is wanted of one input."""
        self._found.setdefault(one.input.document, {})[one.name] = self._take(one, seen)

    def by_document(self) -> dict[str, dict[str, Taken]]:
        """Document -> name -> what was taken, documents in the order of their names.

        Raises TooLongError if an input was not read because memory did not suffice.
        """
        missing = [one for one in self.asked if one.name not in self._found.get(one.input.document, {})]
        if missing:
            raise TooLongError(
                f"Expected memory for {len(missing[0].input)} tokens of {missing[0].input.document} beside the same "
                "text as it is, found too little; lower --max-tokens."
            )
        return dict(sorted(self._found.items()))


def asking(tables: Callable[[], Tables], *gathered: Gathered[Any]) -> Watcher:
    """A watcher that needs nothing but the inputs that are asked for."""
    owner = {id(one): some for some in gathered for one in some.asked}
    asked = [one for some in gathered for one in some.asked]
    return Watcher(_ignore, tables, asked=asked, add_asked=lambda one, seen: owner[id(one)].add(one, seen))


def _ignore(_seen: object) -> None:
    """What the inputs of the text show is not wanted."""
