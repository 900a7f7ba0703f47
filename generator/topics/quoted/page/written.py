"""What hand-written pages show of an example sentence: in each model the arcs of the head in which the one word gives
the other most, and how many heads do as its source says, there and in other sentences.
"""

from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from generator.charts.static.arcs import FAINT, arcs, rounded
from generator.errors import SiteError
from generator.numbers.number import Number, one_minus
from generator.numbers.writing import in_letters, listed, percent
from generator.pages.heads.arcs import Arcs, Shown
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.drawn import hidden_note, line_of
from generator.pages.inline import Link, Part, Prose, prose
from generator.pages.links import head_name, to_head, to_model, to_study
from generator.pages.studies.tables import stored
from generator.pages.written.context import Context, Written
from generator.pages.written.in_markdown import sentence, table
from generator.results.tables import records
from generator.topics.quoted.corpus import Quote, quotes
from generator.topics.quoted.records import QUOTED

STYLE = "broad"
UNREAD = "No model of this guide has read the sentence."
NOTE = (
    f"Drawn is what gets {rounded(FAINT)} or more of the attention of {{start}}, in the head of each model in which "
    "{end} gets most."
)


class Read(NamedTuple):
    """What the heads of a model do in an example sentence."""

    atlas: Atlas
    place: tuple[int, int]
    """The head in which the one word gives the other most, 1-based."""
    weights: np.ndarray
    """`[key word]`: what the one word gives there."""
    usual: Number
    """What the word at its place gives the word at the place of the other, in this head and other sentences."""
    ahead: Number
    ahead_usual: Number
    fewer: Number


def quoted(context: Context, key: str, /) -> str:
    """An example sentence: its arcs, a sentence on what is seen, and a table of the models that have read it."""
    known = quotes()
    if key not in known:
        raise SiteError(f"Expected one of {', '.join(known)} as a quoted sentence, found {key!r}; correct the page.")
    quote = known[key]
    found = [read for atlas in context.compared if (read := read_of(atlas, quote))]
    if not found:
        return UNREAD
    rows = [_row(quote, read, context.page) for read in found]
    shown = context.block("arcs", _arcs(quote, found, context.page))
    return f"{shown}\n\n{sentence(_seen(quote, found, context.page))}\n\n{table(_columns(quote), rows)}"


def read_of(atlas: Atlas, quote: Quote) -> Read | None:
    """What is stored of the sentence; None if the model has not read it, or read it as another text."""
    settings = [one.manifest.settings for one in atlas.results.more if one.manifest.experiment == QUOTED.name]
    if not any(one.get("sentences", {}).get(quote.key) == quote.text for one in settings):
        return None
    heads = {
        (row["name"].removeprefix(f"{quote.key}."), row["layer"], row["head"]): Number.of(row)
        for row in records(stored(atlas, "head_facts", study=QUOTED))
    }
    facts = {row["name"]: Number.of(row) for row in records(stored(atlas, "facts", study=QUOTED))}
    names = [f"weight.{at}" for at in range(1, len(quote.words) + 1)]
    place = max(atlas.places, key=lambda one: heads[names[quote.end], *one].value)
    weights = np.array([heads[name, *place].value for name in names])
    ahead = [facts[f"{quote.key}.{name}"] for name in ("ahead", "ahead.usual", "fewer")]
    return Read(atlas, place, weights, heads["usual", *place], *ahead)


def _quoted(quote: Quote) -> tuple[str, str]:
    """The two words in quotation marks."""
    return f"\u201c{quote.words[quote.start]}\u201d", f"\u201c{quote.words[quote.end]}\u201d"


def _arcs(quote: Quote, found: list[Read], page: str) -> Arcs:
    ids = [f"{quote.key}-{read.atlas.slug}" for read in found]
    start, end = _quoted(quote)
    shown = []
    for at, read in enumerate(found):
        model = read.atlas.results.manifest.model
        label = f"What {start} looks at in head {head_name(*read.place)} of {model}"
        weights = np.zeros((len(quote.words),) * 2)
        weights[quote.start] = read.weights
        line = line_of(quote.words, weights, {(quote.start, quote.end)}, STYLE)
        drawn = Markup(arcs(line, f"{label}: {quote.text}"))  # noqa: S704 - the writer escapes every text
        head = to_head(read.atlas.slug, *read.place, page)
        seen = prose(
            f"{start} gives {end} {rounded(read.weights[quote.end])} of its attention in head {{head}} of {{model}}.",
            head=head,
            model=to_model(read.atlas.slug, model, page),
        )
        hidden = hidden_note(listed([*read.atlas.special_tokens.values()]), 1 - read.weights.sum())
        shown.append(Shown(ids[at], drawn, seen, hidden, _steps(ids, at)))
    return Arcs(f"What {start} looks at", tuple(shown), NOTE.format(start=start, end=end))


def _steps(ids: list[str], at: int) -> tuple[Part, ...]:
    """Links to the model before it and after it."""
    if len(ids) < 2:
        return ()
    count = Markup(f"{at + 1} of {len(ids)}")  # noqa: S704 - two numbers
    return Link("previous model", f"#{ids[at - 1]}"), count, Link("next model", f"#{ids[(at + 1) % len(ids)]}")


def _seen(quote: Quote, found: list[Read], page: str) -> Prose:
    """How many heads do as the source says, and whether this sentence is like others."""
    start, end = _quoted(quote)
    heads, others = _range([read.ahead for read in found]), _range([one_minus(read.fewer) for read in found])
    return prose(
        f"{start} gives {end} more than any word between in {heads} of a model's heads; in {others} of the other "
        f"sentences of {in_letters(len(quote.words))} words, as many heads or more {{do}} at the same places.",
        do=Link("do so", to_study(QUOTED, page).href),
    )


def _range(numbers: list[Number]) -> str:
    """The least and the greatest of shares: "19 % to 46 %"."""
    ends = [percent(pick(numbers, key=lambda one: one.value), ends=False) for pick in (min, max)]
    return " to ".join(dict.fromkeys(ends))


def _columns(quote: Quote) -> tuple[str, ...]:
    start, end = _quoted(quote)
    return (
        "head drawn",
        f"{start} gives {end}",
        "at the same places of other sentences",
        f"heads in which {end} gets more than any word between",
        "at the same places of other sentences",
        "other sentences in which fewer heads do so",
    )


def _row(quote: Quote, read: Read, page: str) -> tuple[Prose, ...]:
    model = to_model(read.atlas.slug, read.atlas.results.manifest.model, page)
    return (
        (to_head(read.atlas.slug, *read.place, page), " of ", model),
        rounded(read.weights[quote.end]),
        percent(read.usual),
        percent(read.ahead),
        percent(read.ahead_usual),
        f"{percent(read.fewer)}, n = {read.fewer.n}",
    )


WRITTEN = Written({"quoted": quoted})
