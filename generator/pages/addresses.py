"""Where pages live. These addresses are promises: they never move."""

from functools import lru_cache
from urllib.parse import quote

HOME = ""
MODELS = "models/"
METHODS = "methods/"
DICTIONARY = f"{METHODS}dictionary.csv"
"""The data dictionary as CSV."""
DATA = "data/"
VERDICTS = f"{DATA}verdicts.csv"
"""All verdicts as CSV."""
CHANGES = "changes/"
CITE = "cite/"
READING = "reading/"
REPRODUCE = "reproduce/"
FINDINGS = "findings/"
CLAIMS = "claims/"
COMPARISONS = "compare/"
REFERENCES = "references/"
GLOSSARY = "glossary/"
FINDER = "heads/"
"""The page to find a head among all heads of all models."""
FINDER_DATA = f"{FINDER}heads.js"
"""The script with the numbers of that page."""
ASSETS = "assets/fieldguide/"
"""Styles and scripts."""


def model(slug: str) -> str:
    """The atlas of a model."""
    return f"{MODELS}{slug}/"


def heads(slug: str) -> str:
    """All heads of a model."""
    return f"{model(slug)}heads/"


def head(slug: str, layer: int, number: int) -> str:
    """One head; layer and head are 1-based, as in the papers."""
    return f"{heads(slug)}{layer}-{number}/"


def method(name: str) -> str:
    """The definition of a measure."""
    return f"{METHODS}{name}/"


def study(name: str) -> str:
    """The definitions of a study's numbers."""
    return method(name.replace(" ", "-"))


def claim(id: str) -> str:  # noqa: A002 - what claims call it
    """One claim with its evidence."""
    return f"{CLAIMS}{id.lower()}/"


def claim_rows(id: str, slug: str) -> str:  # noqa: A002 - what claims call it
    """The rows behind a claim's verdict for a model, as CSV."""
    return f"{claim(id)}{slug}.csv"


def relations(slug: str) -> str:
    """What single heads of a model find: syntax and coreference."""
    return f"{model(slug)}relations/"


def head_map(slug: str) -> str:
    """The heads of a model by how alike they are."""
    return f"{model(slug)}map/"


def roles(slug: str) -> str:
    """The roles of frequent tokens in a model."""
    return f"{model(slug)}roles/"


def phases(slug: str) -> str:
    """The layers of a model as curves, and their phases."""
    return f"{model(slug)}phases/"


def patterns(slug: str) -> str:
    """The patterns of a model's maps."""
    return f"{model(slug)}patterns/"


def inputs(slug: str) -> str:
    """How a model responds to changed inputs."""
    return f"{model(slug)}inputs/"


def features(slug: str) -> str:
    """What kinds of words a model attends to, and what its heads link."""
    return f"{model(slug)}features/"


def tasks(slug: str) -> str:
    """Scores of a model on labelled tasks: fine-tuned, and with heads disabled."""
    return f"{model(slug)}tasks/"


def curve(slug: str) -> str:
    """The course of a model's training, checkpoint by checkpoint."""
    return f"{model(slug)}curve/"


def seeds(slug: str) -> str:
    """Trainings of a model's shape that differ in their seed."""
    return f"{model(slug)}seeds/"


def variants(slug: str) -> str:
    """Trainings of a model's shape that differ in their objective."""
    return f"{model(slug)}variants/"


def numbers(slug: str) -> str:
    """All numbers of a model as a whole."""
    return f"{model(slug)}numbers/"


def beside(slug: str) -> str:
    """The script with what a model shows beside any other one."""
    return f"{model(slug)}beside.js"


def compare(a: str, b: str) -> str:
    """The comparison of model A with model B, by their slugs."""
    return f"{COMPARISONS}{a}--{b}/"


def folder(name: str) -> str:
    """The page that lists the files of a results folder."""
    return f"{DATA}{name}/"


def table(folder_name: str, name: str) -> str:
    """A table of a results folder, as a Parquet file."""
    return f"{folder(folder_name)}{name}.parquet"


def manifest(folder_name: str) -> str:
    """How the tables of a results folder were computed."""
    return f"{folder(folder_name)}manifest.json"


def relative(target: str, page: str) -> str:
    """A link from one address to another that also works from disk.

    >>> relative("methods/sink.mass/", "models/x/heads/1-2/")
    '../../../../methods/sink.mass/'
    """
    root = target.partition("/")[0]
    if root and not page.startswith(f"{root}/"):  # most links leave the page's part of the site
        return _from_root(target, page.count("/"))
    shared = 0
    for part in target.split("/")[:-1]:
        if not page.startswith(f"{part}/", shared):
            break
        shared += len(part) + 1
    return "../" * page.count("/", shared) + _quoted(target[shared:]) or "./"


@lru_cache(maxsize=1 << 12)
def _from_root(target: str, deep: int) -> str:
    return "../" * deep + _quoted(target)


@lru_cache(maxsize=1 << 12)
def _quoted(path: str) -> str:
    return quote(path)
