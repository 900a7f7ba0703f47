"""The figure of the page on relations: what the best head of each finds, beside a fixed offset and untrained twins."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from generator.claims.cutoffs import FEWEST_WORDS
from generator.corpora.relation_names import DIRECTION_IN_WORDS, in_words, with_label
from generator.numbers.number import Number
from generator.numbers.writing import pieces
from generator.pages.blocks import Figure, Table
from generator.pages.figures import embed, estimate_columns
from generator.pages.heads.atlas import Atlas
from generator.pages.links import head_name, to_head
from generator.pages.studies.seen import relations_seen
from generator.results.tables import records
from generator.studies.halves import HELD_OUT
from generator.topics.relations.claims.finds import names_some
from generator.topics.relations.records.relations import TWINS

FEWEST = 5
"""How many relations are drawn at least."""
BESIDE = ("baseline", "gain", "twin")
"""What stands beside a head's accuracy; the columns of the ends of its interval begin with its name."""

_TWIN = (
    f"; the hollow point is the mean of the best heads of {TWINS} untrained twins, its line reaches from the lowest to "
    "the highest of them"
)


def relation_figure(
    atlas: Atlas, corpus: str, rows: pd.DataFrame, clear: Sequence[Mapping[str, Any]], anchor: str, page: str
) -> Figure:
    """Every relation of a treebank with its chosen head, its best offset and the twins.

    `clear` holds the rows of relations with a clearly better head, the largest gain first. They stand first, and the
    others in the order of the rows; only the first are drawn.
    """
    known = {row["relation"] for row in clear}
    rows = rows.assign(clear=rows["relation"].isin(known).astype(int)).sort_values(
        "clear", ascending=False, kind="stable"
    )
    drawn = min(max(len(known), FEWEST), len(rows))
    columns: dict[str, Any] = estimate_columns(map(Number.of, records(rows)))
    for name in BESIDE:
        beside = estimate_columns((_beside(row, name) for row in records(rows)), f"{name}_")
        columns |= {name: beside.pop(f"{name}_value"), **beside}
    columns |= {name: rows[name].tolist() for name in ("layer", "offset", "n", "rank")}
    columns["relation"] = [with_label(label) for label in rows["relation"]]
    columns["clear"] = rows["clear"].tolist()
    heads = list(zip(rows["layer"], rows["head"], strict=True))
    columns["head"] = [head_name(*head) for head in heads]
    columns["href"] = [to_head(atlas.slug, *head, page).href for head in heads]
    columns["direction"] = [DIRECTION_IN_WORDS[direction] for direction in rows["direction"]]
    constants = {"corpus": corpus, "protocol": HELD_OUT, "unit": "share of words"}
    view = {
        "columns": columns,
        "signals": {"rows": drawn, "caption": _others(list(rows["n"])[drawn:])},
        "constants": constants,
    }
    return Figure(
        id=anchor.replace("treebank", "relations"),
        label=relations_seen(
            corpus,
            sum(map(names_some, records(rows))),
            [
                (
                    head_name(row["layer"], row["head"]),
                    in_words(row["relation"]),
                    Number.of(row),
                    _beside(row, "baseline"),
                )
                for row in clear
            ],
            twins=bool(rows["twin"].notna().any()),
        ),
        kinds=("relations",),
        data=embed({"shared": {}, "views": [view]}),
        caption=(
            "Share of a relation's words whose head word is found, by the best head and by the best fixed offset, each "
            f"with its 95 % interval over sentences{_TWIN if rows['twin'].notna().any() else ''}. Head, direction and "
            "offset are chosen on one half of the sentences, all numbers are of the other. The broad line is what the "
            "head gains over the offset; the relation with the largest gain stands first. Pale are heads that are not "
            f"clearly better or have fewer than {FEWEST_WORDS} words; {FEWEST} relations are drawn where fewer have a "
            "better one, and the table has all."
        ),
        table=Table(
            (
                *("relation", "head", "accuracy", "95 % interval", "best offset", "95 % interval"),
                *("untrained twins, mean", "lowest to highest twin", "n"),
            ),
            tuple(
                (
                    with_label(row["relation"]),
                    head_name(row["layer"], row["head"]),
                    *pieces(Number.of(row)),
                    *_offset(row),
                    *pieces(_beside(row, "twin")),
                    str(row["n"]),
                )
                for row in records(rows)
            ),
        ),
    )


def _others(words: Sequence[int]) -> str:
    """What the picture says of the relations that it leaves out, which have so many words."""
    which = "1 more relation has" if len(words) == 1 else f"{len(words)} more relations have"
    rare = ", or too few words" if min(words, default=FEWEST_WORDS) < FEWEST_WORDS else ""
    return f"{which} no clearly better head{rare}" if words else ""


def _beside(row: Mapping[str, Any], name: str) -> Number:
    return Number.of(row, name, f"{name}_low", f"{name}_high")


def _offset(row: Mapping[str, Any]) -> tuple[str, str]:
    share, ends = pieces(_beside(row, "baseline"))
    return f"{row['offset']:+d}: {share}", ends
