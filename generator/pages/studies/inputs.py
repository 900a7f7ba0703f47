"""The context of a model's page on changed inputs: what masks, segment ids and moved tokens do to maps and losses."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from generator.claims import CLAIMS
from generator.measures import OF_COLUMN
from generator.numbers.writing import between, number, signed
from generator.pages import addresses
from generator.pages.compare.numbers import SHOWN
from generator.pages.contexts import Figure, Link, Table
from generator.pages.figures import DIGITS, embed, head_columns, rounded
from generator.pages.heads.atlas import Atlas
from generator.pages.links import head_name, to_claim, to_column, to_model, to_models, to_term
from generator.pages.studies.contexts import DataTable, Entry, InputsPage
from generator.pages.studies.tables import NOTHING, by_name, count, measured, records, stored, table, with_interval

TITLE = "Changed inputs"
JUDGED = {"masks": "Q04", "segments": "Q03"}
"""What was changed -> the claim that the change of maps decides."""
STUDY = "manipulations"
CONDITIONS: Mapping[str, str] = {
    "masks.15": "15 % of the words behind masks",
    "masks.40": "40 % of the words behind masks",
    "segments.zero": "every segment id 0",
    "segments.swapped": "segment ids swapped",
}
"""Name in the store -> what was done to the input."""
MOST = math.log(2)
"""Two rows that share nothing are so far apart, in nats."""
NUMBERS: Sequence[tuple[str, str, str, str, str]] = (
    (STUDY, "base.loss", "masked-LM loss on 15 % of the words, behind masks", "nats", ""),
    (STUDY, "masks.40.loss", "rise of that loss with 40 % of the words behind masks", "nats", "Q04"),
    (STUDY, "segments.zero.loss", "rise of it with every segment id 0", "nats", "Q03"),
    (STUDY, "segments.swapped.loss", "rise of it with segment ids swapped", "nats", "Q03"),
    ("begin", "cut.begin.loss", "rise of it without attention to the begin token in the lower layers", "nats", "H06"),
    ("begin", "swap.begin.loss", "rise of it with the begin token's values of another text there", "nats", "H06"),
    ("begin", "cut.separator.loss", "rise of it without attention to the last separator there", "nats", "H06"),
    ("begin", "swap.separator.loss", "rise of it with the last separator's values of another text", "nats", "H06"),
    ("no-op", "separators.weight", "attention to separators, words behind masks", "share", "H11"),
    ("no-op", "separators.loss", "rise of it without attention to any separator", "nats", "H11"),
    ("no-op", "words.loss", "rise of it without attention to words that weigh as much", "nats", "H11"),
    ("no-op", "lead", "the first of these rises less half of the second", "nats", "H11"),
    ("separators", "base.last", "attention to the last separator, from each token of the text", "share", "H02"),
    ("separators", "moved.kept", "share of it that the separator keeps in the middle of the text", "ratio", "H02"),
    ("separators", "repeated.lead", "attention to it less that to two separators in the text, mean", "share", "H02"),
    ("separators", "dropped.lead", "gain of begin and last token less that of marks, no separators", "share", "H02"),
    ("separators", "swapped.lead", "attention to a mark in its place less that to the separator", "share", "H02"),
    ("separators", "single.gain", "gain of the separator as the only one of the same text", "share", ""),
    ("occlusion", "slope", "correlation of a token's use for a hidden word with its distance", "correlation", "H03"),
    ("occlusion", "span.gain", "use of tokens of the same part less that of others as near", "nats", "H03"),
)
"""Study and name in the store, what it is, its unit, and the claim that it bears on."""
STUDIES = tuple(dict.fromkeys(study for study, *_ in NUMBERS))
DISTANCE = "drop.distance."


def there(atlas: Atlas) -> bool:
    """Whether any input was changed."""
    return bool(len(_facts(atlas, STUDY)) or len(_facts(atlas, "separators")))


def _facts(atlas: Atlas, study: str) -> pd.DataFrame:
    return stored(atlas, "facts", corpus=atlas.corpus, study=study)


def inputs_page(atlas: Atlas) -> InputsPage:
    """What was changed, head by head, measure by measure, and in the losses."""
    here = addresses.inputs(atlas.slug)
    facts = {study: by_name(_facts(atlas, study)) for study in STUDIES}
    changed = facts[STUDY]
    conditions = [name for name in CONDITIONS if f"{name}.js" in changed]
    return InputsPage(
        models=to_models(here),
        model=to_model(atlas.slug, atlas.results.manifest.model, here),
        lead=_lead(changed, conditions),
        claims=tuple(_claims(facts, conditions, here)),
        figure=_figure(atlas, here),
        measures=_measures(changed, conditions, here) if conditions else None,
        numbers=_numbers(facts, here),
        distances=_distances(facts["occlusion"], here),
    )


def _claims(
    facts: Mapping[str, Mapping[str, Mapping[str, Any]]], conditions: Sequence[str], page: str
) -> Iterator[Link]:
    """Those on which any number of this model bears."""
    found = {claim for study, name, *_, claim in NUMBERS if name in facts[study]}
    found |= {JUDGED[name.partition(".")[0]] for name in conditions}
    for one in CLAIMS:
        if one.id in found:
            yield to_claim(one.id, f"{one.id}: {one.title}", page)


def _lead(changed: Mapping[str, Mapping[str, Any]], conditions: Sequence[str]) -> str:
    if not conditions:
        return "What moved and repeated separators do to attention."
    parts = [f"{with_interval(changed[f'{name}.js'])} nats with {CONDITIONS[name]}" for name in conditions]
    n = int(changed[f"{conditions[0]}.js"]["n"])
    return (
        f"Rows of attention at tokens that stay as they are change by {', '.join(parts)} (Jensen-Shannon divergence, "
        f"mean over heads and {n} documents; {number(MOST)} would be rows that share nothing)."
    )


def _figure(atlas: Atlas, page: str) -> Figure | None:
    rows = stored(atlas, "head_facts", corpus=atlas.corpus, study=STUDY).sort_values(["layer", "head"])
    of_head = {name: one for name in CONDITIONS if len(one := rows[rows["name"] == f"{name}.js"])}
    if not of_head:
        return None
    top = max(float(one["value"].max()) for one in of_head.values())
    views = []
    for name, one in of_head.items():
        columns = {field: rounded(one[field].to_numpy()) for field in ("value", "low", "high")}
        constants = {"measure": f"{name}.js", "corpus": atlas.corpus, "unit": "nats", "n": int(one["n"].max())}
        views.append({"columns": columns, "signals": {"top": round(top, DIGITS)}, "constants": constants})
    lines = [map(with_interval, records(one)) for one in of_head.values()]
    return Figure(
        id="changes",
        label="Layer by head grid of how far maps change with the input",
        kinds=("grid",),
        data=embed({"shared": head_columns(atlas, page), "views": views}),
        views=tuple(to_term("jensen-shannon-divergence", CONDITIONS[name], page) for name in of_head),
        chooser="With",
        caption=(
            "Each cell is a head: the mean Jensen-Shannon divergence, in nats, between the rows of its maps with and "
            "without the change, at tokens that are the same in both; choose one for its page. Colour runs from 0 to "
            f"the largest number of any head, one scale for all changes. Intervals are 95 % over documents of "
            f"{atlas.corpus}."
        ),
        table=Table(
            ("head", *(CONDITIONS[name] for name in of_head)),
            tuple((head_name(*place), *cells) for place, *cells in zip(atlas.places, *lines, strict=True)),
        ),
    )


def _measures(changed: Mapping[str, Mapping[str, Any]], conditions: Sequence[str], page: str) -> DataTable:
    def change(row: Mapping[str, Any]) -> Entry:
        return Entry(signed(row["value"]), note=between(row["low"], row["high"]))

    n = to_term("n", "n, documents", page)
    rows = []
    for column in SHOWN:
        base = changed[f"base.{column}"]
        if not math.isnan(base["value"]):
            link = to_column(column, page)
            cells = (change(changed[f"{name}.{column}"]) for name in conditions)
            heading = Entry(link.text, link.href, note=OF_COLUMN[column].unit)
            rows.append((heading, measured(base), *cells, count(base["n"])))
    columns: tuple[Link | str, ...] = ("measure", "as it is", *(CONDITIONS[name] for name in conditions), n)
    return table("Every measure with and without the change", columns, rows)


def _numbers(facts: Mapping[str, Mapping[str, Mapping[str, Any]]], page: str) -> DataTable | None:
    def rows() -> Iterator[tuple[Entry, ...]]:
        for study, name, text, unit, claim in NUMBERS:
            if name in facts[study]:
                row = facts[study][name]
                decides = Entry(claim, to_claim(claim, claim, page).href) if claim else NOTHING
                yield Entry(text), measured(row), Entry(unit), decides, count(row["n"])

    found = list(rows())
    columns = ("number", "value", "unit", "bears on", to_term("n", "n, documents", page))
    return table("What else was changed", columns, found) if found else None


def _distances(occlusion: Mapping[str, Mapping[str, Any]], page: str) -> DataTable | None:
    """By distance in tokens; the last row is open."""
    starts = sorted(int(name.removeprefix(DISTANCE)) for name in occlusion if name.startswith(DISTANCE))
    if not starts:
        return None
    ends = [after - 1 for after in starts[1:]]
    names = [str(start) if start == end else f"{start} to {end}" for start, end in zip(starts, ends, strict=False)]
    found = [occlusion[f"{DISTANCE}{start}"] for start in starts]
    columns = ("distance, tokens", "loss of the hidden word, nats", to_term("n", "n, documents", page))
    return table(
        "What hiding another token costs",
        columns,
        (
            (Entry(name), measured(row), count(row["n"]))
            for name, row in zip((*names, f"{starts[-1]} and more"), found, strict=True)
        ),
    )
