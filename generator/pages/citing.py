"""How this site and its pages are cited; CITATION.cff says how to cite the program."""

from typing import NamedTuple

from generator import __version__
from generator.pages import addresses
from generator.pages.blocks import Listing, Section, Sections
from generator.pages.inline import Link, prose

AUTHORS, YEAR = "The Fieldguide authors", 2026
PROGRAM = "Fieldguide"
PLAIN = "{authors} ({year}). {title}. {made}. {address}"
BIBTEX = """@misc{{fieldguide,
  author  = {{{{{authors}}}}},
  year    = {{{year}}},
  title   = {{{{{title}}}}},
  note    = {{{made}}},
  url     = {{{address}}},
}}"""
LATEX = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "\xa0": "~",
    **{sign: f"\\{sign}" for sign in "%&$#_{}"},
}
"""Characters that LaTeX does not take as they are -> what it takes."""
EMBEDDED = (
    "Open the menu below it and choose Embed: it shows a line of HTML that puts the figure or table into a page of "
    "yours, in a frame, and below it, for a figure, lines that show a picture of it."
)
GUIDE = "A field guide to attention heads"


class Work(NamedTuple):
    """What is cited: a guide."""

    name: str = PROGRAM
    authors: str = AUTHORS
    year: int = YEAR

    @classmethod
    def of_site(cls, name: str, authors: str | None) -> "Work":
        """The guide of this name; it is cited by its title if nobody is named."""
        return cls(name, authors or name)

    @property
    def title(self) -> str:
        """The title of the whole."""
        return GUIDE if self.name == PROGRAM else self.name

    @property
    def made(self) -> str:
        """The guide and the program's version, on which numbers depend."""
        if self.name == PROGRAM:
            return f"{PROGRAM}, version {__version__}"
        return f"{self.name}, made by {PROGRAM}, version {__version__}"


OURS = Work()


def filled(form: str, title: str, address: str, work: Work = OURS) -> str:
    """A form of citation with everything in its place, the title as it is given; no line for an empty address."""
    if not address:
        form = form.replace("  url     = {{{address}}},\n", "").replace(" {address}", "")
    texts = [_in_latex(names) if form.startswith("@") else names for names in (work.authors, work.made)]
    return form.format(authors=texts[0], year=work.year, title=title, made=texts[1], address=address)


def citation(form: str, title: str, address: str, work: Work = OURS) -> str:
    r"""A citation in one of the forms; in BibTeX, the title is braced, so that no style writes BERT in small letters.

    >>> citation(PLAIN, "Head 3-1 of small-bert", "https://example.org/")
    'The Fieldguide authors (2026). Head 3-1 of small-bert. Fieldguide, version 0.1.0. https://example.org/'
    >>> print(citation(BIBTEX, "Right for 77 %", "https://example.org/").splitlines()[3])
      title   = {{Right for 77 \%}},
    """
    if form == BIBTEX:
        title = _in_latex(title)
    return filled(form, title, address, work)


def _in_latex(text: str) -> str:
    return "".join(LATEX.get(sign, sign) for sign in text)


def cite_page(site: str, work: Work = OURS) -> Sections:
    """The page that says how to cite; if the site's address is empty, the reader has to add it."""
    papers = prose(
        "Definitions and claims come from papers: cite those, too. {references} has them all, with a BibTeX file.",
        references=Link("References", addresses.relative(addresses.REFERENCES, addresses.CITE)),
    )
    shown = "To cite a page, take its title and address instead; to cite a figure or table, open the menu below it."
    if not site:
        shown = f"Add the address at which you read this; the site was built without one. {shown}"
    return Sections(
        title="Cite this guide",
        lead="A citation names version and address: numbers may change with the version, addresses never move.",
        crumbs=(),
        sections=(
            Section("plain", "In a text", (citation(PLAIN, work.title, site, work),)),
            Section("bibtex", "In BibTeX", (Listing(citation(BIBTEX, work.title, site, work)),)),
            Section("pages", "A page, a figure, a paper", (shown, papers)),
            Section("embed", "Embed a figure or table", (EMBEDDED,)),
        ),
    )
