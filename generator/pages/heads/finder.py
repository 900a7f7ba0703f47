"""Every head of every model in one table that the reader can sort and filter, and the numbers behind it."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, chain, groupby
from typing import ClassVar, NamedTuple
from urllib.parse import quote

from generator.corpora.relation_names import RELATIONS as RELATION_WORDS
from generator.corpora.relation_names import in_words, labels_of
from generator.measures import COLUMNS, OF_COLUMN
from generator.numbers.writing import UNDEFINED, handed, in_column
from generator.pages import addresses
from generator.pages.blocks import Folded, Items, Section, Sections, opening
from generator.pages.heads.asking import field_words, vocabulary
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.naming.naming import finds
from generator.pages.heads.of_head import in_lists
from generator.pages.heads.summary import TARGETS, kinds
from generator.pages.inline import Anchor, Cells, Code, Kind, Link, Name, Prose, prose
from generator.pages.links import to_head, to_method, to_model
from generator.pages.renderer import attempt_text
from generator.visible import visible_json

FIRST = 25
"""How many rows are shown without JavaScript."""
SHORT = {"entropy.all": "entropy", "sink.mass": "sink"} | {
    column: column.removeprefix("attention.") for column in COLUMNS if column.startswith("attention.")
}
SHARE = "share"
SHOWN = (SHARE, *(SHORT[target.column] for target in TARGETS if target.kind != "self"), "entropy")
"""The numbers shown for each head unless others are asked for."""
WITHOUT_SCRIPT = "The others need JavaScript, or the map of heads on the page of each model."
TARGET_KINDS = frozenset(target.kind for target in TARGETS)
RECEIVER = re.compile(r"Attention to (?:the )?(.+)")
"""Matches the title of a measure of what receives attention."""
MEASURES, RELATIONS = "Measures", "Relations found: share of words"
ASKED = (
    ("obj > 0.6", "heads that find direct objects"),
    ("previous > 0.5 and layer <= 4", "previous-token heads of the first layers"),
    ("coreference", "heads that find what a mention refers to"),
    ("cls > 0.5 and norm.cls < 0.1", "heads that look at [CLS] and take little from it"),
    ("entropy < 1 and not (next > 0.5 or previous > 0.5)", "sharp heads that are not positional"),
)
"""Example expressions, each with what it asks for."""


class Column(NamedTuple):
    """A number that can be asked for, and its value for every head of each model, as `handed` writes it."""

    name: str
    """Its name in an expression."""
    title: Name | Link
    group: str
    values: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Finder:
    """The block of the finder: what can be asked for, and the first rows."""

    template: ClassVar[str] = "finder"
    models: tuple[tuple[str, str], ...]
    """Slug and name of each model."""
    groups: tuple[tuple[str, tuple[Column, ...]], ...]
    counted: str
    """How many heads there are, and how many of them are shown."""
    without_script: str
    """Where a reader without scripts finds the others."""
    columns: tuple[Prose, ...]
    rows: tuple[Cells, ...]
    script: str


def finder_page(atlases: Sequence[Atlas]) -> Sections:
    """The page of the finder; its numbers are in a file of their own."""
    here = addresses.FINDER
    columns = tuple(_columns(atlases))
    groups = tuple((group, tuple(some)) for group, some in groupby(columns, key=lambda column: column.group))
    models = tuple((atlas.slug, atlas.results.manifest.model) for atlas in atlases)
    shown = [column for name in SHOWN for column in columns if column.name == name]
    rows = tuple(_row(atlases, shown, *at) for at in _order(atlases)[:FIRST])
    heads = ("model", "head", "what it does", *(column.name for column in shown))
    script = f"{addresses.relative(addresses.ASSETS, here)}finder.js"
    counted = f"The first {len(rows)} of {sum(len(atlas.places) for atlas in atlases)} heads."
    finder = Finder(
        models, groups=groups, counted=counted, without_script=WITHOUT_SCRIPT, columns=heads, rows=rows, script=script
    )
    asked = tuple((Link(text, f"?where={quote(text)}"), f": {means}") for text, means in ASKED)
    return Sections(
        title="Find a head",
        lead=(
            "All heads of all models; those that find something come first. Ask for any measure or relation, such as ",
            Code("obj > 0.6"),
            "; the address of the page keeps the question.",
        ),
        crumbs=(),
        sections=(
            opening(Items(((Anchor("examples"), "Examples:"), *asked)), finder),
            Section(
                "names",
                "Names of numbers",
                (_compared(), *(_names(group, some) for group, some in groups), _words(columns)),
            ),
        ),
    )


def _compared() -> Prose:
    return prose(
        "Numbers are compared with {compare} and added with {add}; questions are joined with {join}. A name alone "
        "sorts by it, and words of the field, such as {field}, ask for heads of a kind. {layer} and "
        "{head} are numbers too. {share} is how often the head is right in what it finds, or how much of its attention "
        "goes to its first target or window; for a pattern, how many of its maps have it; of a broad head, its entropy "
        "as a share of that of uniform attention; of a head that a task needs, how much of the score is lost. A head "
        "for which a number is unknown does not match. Values are means over documents without their intervals, which "
        "the page of each head has. Attention goes by what receives it too, such as {token} or "
        "{next}. A relation is the share of its words in the largest treebank for which the head picks the right word, "
        "in its better direction, on all sentences. It may also be called by its words, such as {words}, or as another "
        "treebank calls it, such as {label}.",
        compare=Code("< <= = != >= >"),
        add=Code("+ -"),
        join=Code("and or not ( )"),
        field=Code("coreference"),
        layer=Code("layer"),
        head=Code("head"),
        share=Code(SHARE),
        token=Code("[CLS]"),
        next=Code("next token"),
        words=Code("direct objects"),
        label=Code("dobj"),
    )


def _names(group: str, columns: Iterable[Column]) -> Folded:
    lines = tuple((Code(column.name), " ", column.title) for column in columns)
    return Folded(group, (Items(lines, style="fg-columns"),))


def _words(columns: Iterable[Column]) -> Folded:
    known = vocabulary(kinds(), {column.name for column in columns})
    return Folded("Words of the field", (Items(tuple((Code(words), f" {asked}") for words, asked in known)),))


def finder_file(atlases: Sequence[Atlas], problems: list[str]) -> tuple[str, str]:
    """Address and text of a script that defines all numbers; if it cannot be made, the reason is added to `problems`.

    It is a script because a page opened from disk can load no other kind of file.
    """
    before = len(problems)
    text = attempt_text("The numbers of all heads", partial(_script, atlases), problems)
    return addresses.FINDER_DATA, f"// {text}\n" if len(problems) > before else text


def _script(atlases: Sequence[Atlas]) -> str:
    """Numbers to compare, column by column in the order of the page, those of a column in one text."""
    order = _order(atlases)
    summaries = [atlases[at].summaries[place] for at, place in order]
    named = [in_lists(atlases[at], *place) for at, place in order]
    titles = list(dict.fromkeys(named))
    columns = list(_columns(atlases))
    places = [{place: number for number, place in enumerate(atlas.places)} for atlas in atlases]
    starts = [0, *accumulate(len(atlas.places) for atlas in atlases)]
    in_order = [starts[at] + places[at][place] for at, place in order]
    data = {
        "models": [[atlas.slug, atlas.results.manifest.model] for atlas in atlases],
        "model": [at for at, _ in order],
        "layer": [layer for _, (layer, _) in order],
        "head": [head for _, (_, head) in order],
        "titles": titles,
        "title": list(map(titles.index, named)),
        "kind": [summary.kind for summary in summaries],
        "shown": SHOWN,
        "columns": [[column.name, column.title.text] for column in columns],
        "also": other_names([column.name for column in columns]),
        "words": field_words([column.name for column in columns]),
        "values": [" ".join(map([*chain(*column.values)].__getitem__, in_order)) for column in columns],
    }
    text = visible_json(json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False))
    return f"window.fieldguideHeads={text};\n"


def other_names(columns: Sequence[str]) -> dict[str, str]:
    """Other name -> column: a measure's full name, and what receives the attention; a relation's labels in other
    treebanks, and its words. Words are joined to one.

    >>> other_names(["obj"])["dobj"], other_names(["obj"])["direct_objects"], other_names(["next"])["next_token"]
    ('obj', 'obj', 'next')
    """
    found = {name: short for name, short in SHORT.items() if short in columns}
    for name, short in tuple(found.items()):
        receiver = RECEIVER.fullmatch(OF_COLUMN[name].title)
        found |= {_one_word(receiver[1]): short} if receiver else {}
    for relation in (column for column in columns if column in RELATION_WORDS):
        plural = in_words(relation)
        for name in (*labels_of(plural), _one_word(plural)):
            found.setdefault(name, relation)
    return {name: column for name, column in found.items() if name not in columns}


def _one_word(text: str) -> str:
    return re.sub(r"\W+", "_", text.lower()).strip("_")


def _order(atlases: Sequence[Atlas]) -> list[tuple[int, tuple[int, int]]]:
    """Every head as 0-based model and 1-based (layer, head), in the order of the table: by rank, then by share."""
    rank = ranks()
    every = [(at, place) for at, atlas in enumerate(atlases) for place in atlas.places]

    def strength(head: tuple[int, tuple[int, int]]) -> tuple[int, float]:
        summary = atlases[head[0]].summaries[head[1]]
        return rank[summary.kind], -summary.share

    return sorted(every, key=strength)


def ranks() -> Mapping[str, int]:
    """Kind -> rank in the table: heads that find something first, then those named for a target, then the others."""
    return {kind: 0 if kind in finds() else 1 if kind in TARGET_KINDS else at for at, kind in enumerate(kinds())}


def _columns(atlases: Sequence[Atlas]) -> Iterator[Column]:
    """What heads are sorted by, measures in their order, then relations by name."""
    strength = Name("How strongly the head does what it is listed for")
    yield Column(SHARE, strength, MEASURES, [_shares(atlas) for atlas in atlases])
    for column in COLUMNS:
        measure = OF_COLUMN[column]
        text = measure.title if measure.name == column else f"{measure.title}: {column.partition('.')[2]}"
        title = to_method(measure.name, text, addresses.FINDER)
        values = [atlas.written.measures[column] for atlas in atlases]
        yield Column(SHORT.get(column, column), title, MEASURES, values)
    for relation in sorted(set().union(*(atlas.written.relations for atlas in atlases))):
        values = [atlas.written.relations.get(relation, [UNDEFINED] * len(atlas.places)) for atlas in atlases]
        yield Column(relation, Name(in_words(relation)), RELATIONS, values)


def _shares(atlas: Atlas) -> list[str]:
    """The share that the square of each head shows."""
    return [handed(atlas.summaries[place].share) for place in atlas.places]


def _row(atlases: Sequence[Atlas], columns: Sequence[Column], at: int, place: tuple[int, int]) -> Cells:
    atlas, (layer, head), here = atlases[at], place, addresses.FINDER
    summary = atlas.summaries[place]
    model, number_of_head = atlas.results.manifest.model, atlas.places.index(place)
    return (
        Name(model, to_model(atlas.slug, model, here).href),
        to_head(atlas.slug, layer, head, here),
        (Kind(summary.kind, summary.called), in_lists(atlas, layer, head)),
        *(_in_table(column.values[at][number_of_head]) for column in columns),
    )


def _in_table(text: str) -> str:
    """A number of the finder's file as the table shows it while no question compares it."""
    return text if text == UNDEFINED else in_column(float(text))
