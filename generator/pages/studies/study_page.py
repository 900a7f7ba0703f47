"""What a page about a study is: each model has it for which there are numbers."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from generator.pages.blocks import Sections
from generator.pages.heads.atlas import Atlas


class StudyPage(NamedTuple):
    """One kind of page about a study."""

    title: str
    address: Callable[[str], str]
    """A function that returns the address of the page from the model's slug."""
    there: Callable[[Atlas], bool]
    """A function that says whether the model has what the page shows."""
    page: Callable[[Atlas], Sections]
    words: Callable[[Atlas], Iterable[str]] = lambda _: ()
    """A function that returns what the search reads of the page beside title and lead."""
    apart: Callable[[str], bool] = lambda _: False
    """A function that says whether the section with this anchor gets a page of its own."""
