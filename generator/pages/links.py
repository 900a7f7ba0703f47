"""Links between pages, each made in one place: a relative address and the text of the link. One leads elsewhere: to the
form by which a reader contests a page.
"""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple, TypeVar
from urllib.parse import quote, urlencode, urljoin

from generator import __version__
from generator.claims.all import CLAIMS
from generator.measures import OF_COLUMN
from generator.measures.patterns import PATTERN
from generator.numbers.quantity import Study
from generator.pages import addresses
from generator.pages.blocks import Items
from generator.pages.inline import Link, Name, Part, Step

Thing = TypeVar("Thing")


def head_name(layer: int, head: int) -> str:
    """The name of a head as in the papers, 1-based: "3-7"."""
    return f"{layer}-{head}"


def to_head(slug: str, layer: int, head: int, page: str) -> Link:
    """A link from the page at address `page` to a head of a model."""
    return Link(head_name(layer, head), addresses.relative(addresses.head(slug, layer, head), page))


def to_model(slug: str, name: str, page: str) -> Link:
    """A link to the page of a model."""
    return Link(name, addresses.relative(addresses.model(slug), page))


def to_models(page: str) -> Link:
    """A link to the list of models."""
    return Link("Models", addresses.relative(addresses.MODELS, page))


def model_crumbs(slug: str, name: str, page: str) -> tuple[Part, ...]:
    """The way to a page of a model: the list of models, and the model."""
    return to_models(page), Name(name, to_model(slug, name, page).href)


def steps(row: Sequence[Thing], here: Thing, link: Callable[[Thing], Link]) -> tuple[Step, ...]:
    """Links to the pages before and after `here` in a sequence; none before the first or after the last."""
    at = row.index(here)
    before, after = map(link, row[max(at - 1, 0) : at]), map(link, row[at + 1 : at + 2])
    return (
        *(Step(neighbour.text, neighbour.href, back=True) for neighbour in before),
        *(Step(neighbour.text, neighbour.href) for neighbour in after),
    )


def to_methods(page: str) -> Link:
    """A link to the list of definitions."""
    return Link("Methods", addresses.relative(addresses.METHODS, page))


def to_method(name: str, text: str, page: str) -> Link:
    """A link to the definition of a measure."""
    return Link(text, addresses.relative(addresses.method(name), page))


def to_study(study: Study, page: str) -> Link:
    """A link to the definitions of a study's numbers."""
    return Link(study.title, addresses.relative(addresses.study(study.name), page))


def column_title(column: str) -> str:
    """The title of a column on its own: that of its measure, or the name of a pattern."""
    if column in PATTERN.parts:
        return f"Maps that are {column.removeprefix(f'{PATTERN.name}.')}"
    return OF_COLUMN[column].title


def to_column(column: str, page: str) -> Link:
    """A link to the definition of a column's measure."""
    return to_method(OF_COLUMN[column].name, column_title(column), page)


def to_claims(page: str) -> Link:
    """A link to the ledger of claims."""
    return Link("Claims", addresses.relative(addresses.CLAIMS, page))


def to_claim(id: str, text: str, page: str) -> Link:  # noqa: A002 - what claims call it
    """A link to a claim with its evidence."""
    return Link(text, addresses.relative(addresses.claim(id), page))


def list_of_claims(numbers: Collection[tuple[str, str]], page: str, published: Collection[str] = ()) -> Items:
    """Links to the claims that rest on any of these numbers, which are pairs of a study and a name, or beside which one
    of these published numbers stands.
    """
    beside, stored = {*published}, [f"{study}/{name}" for study, name in numbers]
    found = (claim for claim in CLAIMS if claim.rests_on(*stored) or beside & {*claim.published})
    return Items(tuple(to_claim(claim.id, f"{claim.id}: {claim.title}", page) for claim in found))


def to_reference(key: str, text: str, page: str) -> Link:
    """A link to a source in the list of references, or to the list itself if the source has no key."""
    return Link(text, addresses.relative(addresses.REFERENCES, page) + (f"#{key}" if key else ""))


def to_term(anchor: str, text: str, page: str) -> Link:
    """A link to a word of the glossary."""
    return Link(text, f"{addresses.relative(addresses.GLOSSARY, page)}#{anchor}")


class Contest(NamedTuple):
    """The addresses that are needed for a link by which a reader tells the maintainers that a page is wrong."""

    repository: str
    """Address of the repository of the site, as the setting `repo_url` of MkDocs has it."""
    site: str
    """Address of the site, to which the addresses of pages are appended."""

    def link(self, name: str, address: str, numbers: str) -> Link:
        """A link to the repository's form for an issue, with the page and the contested numbers filled in."""
        body = f"{urljoin(self.site, quote(address))}\nFieldguide {__version__}\n\n{numbers}\n\nWhat is wrong: "
        query = urlencode({"title": f"Contested: {name}", "body": body}, quote_via=quote)
        return Link("Contest this page", f"{self.repository.rstrip('/')}/issues/new?{query}")
