"""How this site and its pages are cited; CITATION.cff says how to cite the program."""

from generator import __version__
from generator.pages import addresses
from generator.pages.blocks import Listing, Section, Sections
from generator.pages.inline import Link, prose

AUTHORS, YEAR = "The Fieldguide authors", 2026
PLAIN = "{authors} ({year}). {title}. Fieldguide, version {version}. {address}"
BIBTEX = """@misc{{fieldguide,
  author  = {{{{{authors}}}}},
  year    = {{{year}}},
  title   = {{{{{title}}}}},
  note    = {{Fieldguide, version {version}}},
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


def filled(form: str, title: str, address: str) -> str:
    """A form of citation with everything in its place, the title as it is given."""
    return form.format(authors=AUTHORS, year=YEAR, title=title, version=__version__, address=address)


def citation(form: str, title: str, address: str) -> str:
    r"""A citation in one of the forms; in BibTeX, the title is braced, so that no style writes BERT in small letters.

    >>> citation(PLAIN, "Head 3-1 of small-bert", "https://example.org/")
    'The Fieldguide authors (2026). Head 3-1 of small-bert. Fieldguide, version 0.1.0. https://example.org/'
    >>> print(citation(BIBTEX, "Right for 77 %", "https://example.org/").splitlines()[3])
      title   = {{Right for 77 \%}},
    """
    if form == BIBTEX:
        title = "".join(LATEX.get(sign, sign) for sign in title)
    return filled(form, title, address)


def cite_page(site: str) -> Sections:
    """The page that says how to cite; if the site's address is empty, the reader has to fill it in."""
    address = site or "(the address of the page)"
    papers = prose(
        "Definitions and claims come from papers: cite those, too. {references} has them all, with a BibTeX file.",
        references=Link("References", addresses.relative(addresses.REFERENCES, addresses.CITE)),
    )
    shown = "To cite a page, take its title and address instead; to cite a figure or table, open the menu below it."
    return Sections(
        title="Cite this guide",
        lead="A citation names version and address: numbers may change with the version, addresses never move.",
        crumbs=(),
        sections=(
            Section("plain", "In a text", (citation(PLAIN, GUIDE, address),)),
            Section("bibtex", "In BibTeX", (Listing(citation(BIBTEX, GUIDE, address)),)),
            Section("pages", "A page, a figure, a paper", (shown, papers)),
            Section("embed", "Embed a figure or table", (EMBEDDED,)),
        ),
    )
