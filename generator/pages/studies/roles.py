"""The context of a model's page on roles: what frequent tokens do, by the names of the hypothesis of 2021."""

from collections import Counter
from typing import Any

import pandas as pd

from generator.claims.hypothesis.phases import SPECIAL
from generator.numbers.writing import number
from generator.pages import addresses
from generator.pages.blocks import Cell, Figure, Link, Table
from generator.pages.figures import embed, rounded
from generator.pages.heads.atlas import Atlas
from generator.pages.links import to_model, to_models, to_reference, to_term
from generator.pages.studies.contexts import Mark, RolesPage, Rule, TokenRoles
from generator.pages.studies.tables import count, records, stored, table
from generator.studies.tokens.neighbours import SAMPLE
from generator.studies.tokens.rules import (
    ATTENDED,
    BROADER,
    FREQUENT,
    Role,
    classify,
    classify_model,
    outsiders,
    places,
)

TITLE = "Roles of tokens"
MARKS = {"hunter": "H", "separator": "S", "loner": "L", "insider": "I", "none": "-"}
RULES = (
    ("hunter", "hunter", "an outsider whose own rows are broader, by {broader} of ln n, than those of other types"),
    (
        "separator",
        "separator-role",
        "an outsider that receives {attended:g} times uniform attention or more, at a fixed place",
    ),
    ("loner", "loner", "an outsider that receives as much, at no fixed place"),
    ("insider", "insider", "a type to which comparatively few kinds of token attend"),
)
"""Role, word of the glossary, rule; no other type has a role."""
NAMED = ("hunter", "separator", "loner")
"""Roles that the hypothesis gives to special tokens."""
SEPARATORS, PERIODS = ("[SEP]", "</s>"), (".", ",")
VIEWS = (
    ("attended_by_entropy", "Who attends to the token, mean over layers"),
    ("beside", "Which tokens stand beside it in the text, mean of both sides"),
)
"""What may stand on the horizontal axis."""


def there(atlas: Atlas) -> bool:
    """Whether frequent tokens were followed in the corpus that pages show."""
    return bool(len(_rows(atlas)))


def _rows(atlas: Atlas) -> pd.DataFrame:
    return stored(atlas, "roles", corpus=atlas.corpus).sort_values(["layer", "rank"])


def roles_page(atlas: Atlas) -> RolesPage:
    """Every followed token with its role, in the model and layer by layer."""
    here = addresses.roles(atlas.slug)
    rows = _rows(atlas)
    whole = classify_model(rows)
    types = rows.groupby("rank", as_index=False).agg({"token": "first"} | dict.fromkeys(_numbers(rows), "mean"))
    types["beside"] = types[["next_entropy", "previous_entropy"]].mean(axis=1)
    types["role"] = [role.name for role in whole]
    layers = tuple(int(layer) for layer in sorted(rows["layer"].unique()))
    return RolesPage(
        models=to_models(here),
        model=to_model(atlas.slug, atlas.results.manifest.model, here),
        lead=_lead(whole),
        source=to_reference("hypothesis2021", "A Hypothesis about Learning Curve of BERT", here),
        outsider=to_term("outsider", "outsider", here),
        rules=tuple(
            Rule(to_term(anchor, name, here), MARKS[name], rule.format(broader=BROADER, attended=ATTENDED))
            for name, anchor, rule in RULES
        ),
        figure=_figure(atlas, types),
        tokens=_tokens(types, whole, here),
        layers=tuple(map(str, layers)),
        changes=_changes(rows, whole),
        outsiders=_outsiders(rows),
        ranks=_ranks(rows),
        frequent=_frequent(rows),
        places=_places(rows),
    )


def _numbers(rows: pd.DataFrame) -> list[str]:
    return [str(name) for name in rows.select_dtypes("number").columns if name not in ("layer", "rank")]


def _lead(whole: list[Role]) -> str:
    parts = []
    for name in NAMED:
        tokens = [role.token for role in whole if role.name == name]
        parts.append(f"{name}: {' '.join(tokens)}" if tokens else f"no {name}")
    counts = Counter(role.name for role in whole)
    text = "; ".join(parts)
    return (
        f"Over all layers, {text}. Of {len(whole)} frequent token types {counts['insider']} are insiders and "
        f"{counts['none']} have no role."
    )


def _figure(atlas: Atlas, types: pd.DataFrame) -> Figure:
    views = []
    for column, _ in VIEWS:
        shown = types[types[column].notna() & (types["received"] > 0)]
        columns: dict[str, Any] = {name: shown[name].tolist() for name in ("token", "role", "rank")}
        columns["count"] = shown["count"].astype(int).tolist()
        columns |= {name: rounded(shown[name].to_numpy()) for name in ("received", "breadth")}
        columns["entropy"] = rounded(shown[column].to_numpy())
        columns["named"] = (shown["role"].isin(NAMED) | shown["token"].isin(SPECIAL)).astype(int).tolist()
        views.append({"columns": columns, "constants": {"corpus": atlas.corpus, "of": column}})
    return Figure(
        id="tokens",
        label="Frequent tokens: how varied their company is, and how much attention they receive",
        kinds=("tokens",),
        data=embed({"shared": {}, "views": views}),
        views=tuple(Link(text, "") for _, text in VIEWS),
        chooser="Entropy of",
        caption=(
            "Each point is a frequent token type, coloured by its role over all layers. To the right: more varied "
            "company. Up: more attention received per occurrence; the dashed line is what uniform attention gives. "
            "Names stand beside special tokens and hunters, separators and loners; point at any other to see its own. "
            f"An entropy is that of {SAMPLE} occurrences, so that types of different frequency can be compared; a type "
            f"with fewer is left out. Read: {atlas.text}."
        ),
        table=Table(
            ("token", "role", *(text for _, text in VIEWS), "received, times uniform"),
            tuple(
                (row["token"], row["role"], *(number(row[column]) for column, _ in VIEWS), number(row["received"]))
                for row in records(types)
            ),
        ),
    )


def _tokens(types: pd.DataFrame, whole: list[Role], page: str) -> Table:
    columns = (
        "token",
        "role",
        "rank by frequency",
        to_term("n", "n, occurrences", page),
        to_term("attention-received", "received, times uniform", page),
        to_term("breadth", "breadth, share of ln n", page),
        "entropy of who attends, nats",
        "entropy of neighbours, nats",
        "varies from the end of its segment, tokens",
        "why",
    )
    measured = ("received", "breadth", "attended_by_entropy", "beside", "end_deviation")
    return table(
        "Frequent tokens and their roles",
        columns,
        (
            (
                Cell(row["token"]),
                Cell(role.name),
                count(row["rank"]),
                count(row["count"]),
                *(Cell(number(row[name])) for name in measured),
                Cell(role.reason),
            )
            for row, role in zip(records(types), whole, strict=True)
        ),
    )


def _changes(rows: pd.DataFrame, whole: list[Role]) -> tuple[TokenRoles, ...]:
    """Roles by layer; `classify` gives the types of a layer in the order of their ranks, as `whole` has them."""
    by_layer: dict[int, list[Role]] = {}
    for role in classify(rows):
        by_layer.setdefault(role.layer, []).append(role)
    return tuple(
        TokenRoles(
            role.token, role.name, tuple(Mark(MARKS[layer[at].name], layer[at].name) for layer in by_layer.values())
        )
        for at, role in enumerate(whole)
    )


def _outsiders(rows: pd.DataFrame) -> Table:
    found = outsiders(rows, SPECIAL)
    special = sorted(set(rows["token"]) & set(SPECIAL))
    columns = (
        "entropy of",
        f"special tokens ({' '.join(special) or 'none'})",
        f"others among the {FREQUENT} commonest",
        "p, one-sided",
    )
    contrasts = (
        ("the neighbours in the text", found.neighbours),
        ("who attends to the type", found.attended_by),
        ("what the type attends to", found.attends_to),
    )
    return table(
        "Special tokens and other frequent types",
        columns,
        (
            (Cell(text), *(Cell(number(value)) for value in (contrast.special, contrast.others, contrast.p)))
            for text, contrast in contrasts
        ),
    )


def _ranks(rows: pd.DataFrame) -> tuple[tuple[str, str], ...]:
    special = rows[rows["token"].isin(SPECIAL)].drop_duplicates("rank").sort_values("rank")
    return tuple(zip(special["token"], map(str, special["rank"]), strict=True))


def _frequent(rows: pd.DataFrame) -> str:
    if not _ranks(rows):
        return "The text has none of the special tokens that the hypothesis names."
    answer = "All are" if outsiders(rows, SPECIAL).frequent else "Not all are"
    return f"{answer} among the {FREQUENT} commonest types."


def _places(rows: pd.DataFrame) -> str:
    found = places(rows, SEPARATORS, PERIODS)
    return (
        f"The distance to the end of the segment varies by {number(found.separator)} tokens for separators, which is 0 "
        f"by construction, and by {number(found.marks)} or more for periods and commas."
    )
