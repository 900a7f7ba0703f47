"""A model's page on roles: what frequent tokens do, by the names of the hypothesis of 2021."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from markupsafe import Markup

from generator.charts import TOLD
from generator.corpora.classes import CLASS_OF, TokenClass
from generator.numbers.pieces import readable
from generator.numbers.writing import in_letters, listed, number
from generator.pages import addresses
from generator.pages.blocks import Facts, Figure, Section, Sections, Table, opening
from generator.pages.figures import as_stored, embed
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Link, Token, prose
from generator.pages.links import model_crumbs, to_reference, to_term
from generator.pages.studies.seen import tokens_seen
from generator.pages.studies.study_page import StudyPage
from generator.pages.studies.tables import count, in_unit, stored
from generator.results.tables import records
from generator.topics.layers.claims.phases import SPECIAL
from generator.topics.tokens.derived.rules import ATTENDED, BROADER, Role, classify, classify_model, over_layers
from generator.topics.tokens.page.special_tokens import special_tokens
from generator.topics.tokens.records.derived import OVER_LAYERS
from generator.topics.tokens.records.tokens import SAMPLE

TITLE = "Roles of tokens"
FEW = 5
"""How many tokens are named at most because they receive ATTENDED times uniform attention or more; if there are more,
only the one that receives most is. A choice.
"""
MARKS = {"hunter": "H", "separator": "S", "loner": "L", "insider": "I", "none": "-"}
RULES = (
    (
        "hunter",
        "hunter",
        "an outsider that itself attends broadly: its breadth lies more than {broader} above that of the other types",
    ),
    (
        "separator",
        "separator-role",
        "an outsider at a fixed place that receives at least {attended:g} times what uniform attention gives",
    ),
    ("loner", "loner", "an outsider that receives as much, but stands at no fixed place"),
    ("insider", "insider", "a type to which comparatively few kinds of token attend"),
)
"""Role, entry of the glossary, and rule; token types to which no rule applies have no role."""
VIEWS = (
    ("attended_by_entropy", "Tokens that attend to it, mean over layers"),
    ("beside", "Tokens that stand beside it in the text, mean of both sides"),
)
"""The quantities that a reader may choose for the horizontal axis."""
MEANT = {
    "hunter": (TokenClass.BEGIN, "[CLS]"),
    "separator": (TokenClass.SEPARATOR, "[SEP]"),
    "loner": (TokenClass.PUNCTUATION, "periods and commas"),
}
"""Role -> the class of tokens to which the hypothesis gives it, and what these are called."""
NAMED = tuple(MEANT)


def there(atlas: Atlas) -> bool:
    """Whether frequent tokens were followed in the corpus that pages show."""
    return bool(len(_rows(atlas)))


def _rows(atlas: Atlas) -> pd.DataFrame:
    return stored(atlas, "roles", corpus=atlas.corpus).sort_values(["layer", "rank"])


def roles_page(atlas: Atlas) -> Sections:
    """Every followed token with its role, in the model and layer by layer."""
    here = addresses.roles(atlas.slug)
    rows = _rows(atlas)
    whole = classify_model(rows)
    types = over_layers(rows)
    types["role"] = [role.name for role in whole]
    return Sections(
        title=TITLE,
        lead=_lead(whole, int(types["attended_by_entropy"].isna().sum())),
        card=f"{_seen(types)}.",
        crumbs=model_crumbs(atlas.slug, atlas.results.manifest.model, here),
        sections=(
            rules(_figure(atlas, types), here),
            tokens(types, whole, here),
            changes(rows, whole),
            special_tokens(rows),
        ),
    )


def rules(figure: Figure, page: str) -> Section:
    """Where the names of the roles come from, and the rule for each."""
    return opening(
        prose(
            "The names come from {source} (2021), which gives them to [CLS] (hunter), to [SEP] (separator), to periods "
            "and commas (loner) and to other frequent tokens (insider), and measures nothing. The rules are ours. They "
            "look at behaviour alone, so any frequent type may take any role. An {outsider} is a type to which many "
            "kinds of token attend: the entropy of these is above the median of the types shown here, so about half "
            "of the types are outsiders in any model. The first rule below that is met gives the role.",
            source=to_reference("hypothesis2021", "A Hypothesis about Learning Curve of BERT", page),
            outsider=to_term("outsider", "outsider", page),
        ),
        Facts(
            tuple(
                ((f"{MARKS[name]} ", to_term(anchor, name, page)), rule.format(broader=BROADER, attended=ATTENDED))
                for name, anchor, rule in RULES
            )
        ),
        figure,
    )


def _lead(whole: list[Role], rare: int) -> str:
    """Who has which role; `rare` types occur too seldom for a role."""
    found = {name: [readable(role.token) for role in whole if role.name == name] for name in NAMED}
    counts = Counter(role.name for role in whole)
    return (
        f"Taken over all layers, {behave(found)}. Of {len(whole)} frequent token types "
        f"{counts['insider']} {_are(counts['insider'], 'is an insider', 'are insiders')}, and {counts['none']} "
        f"{_are(counts['none'], 'has', 'have')} no role"
        + f", {'all' if rare == counts['none'] else rare} of them because they occur fewer than {SAMPLE} times"
        * bool(rare)
        + "."
    )


def _seen(types: pd.DataFrame) -> str:
    return tokens_seen({readable(row["token"]): row["received"] for row in records(types)}, ATTENDED)


def _drawn(token: str) -> str:
    """How a picture names a token: a single mark, such as a period, is hard to see without quotes."""
    return token if token.isalnum() or len(token) > 1 else f"“{token}”"


def _are(count: int, single: str, more: str) -> str:
    return single if count == 1 else more


def _figure(atlas: Atlas, types: pd.DataFrame) -> Figure:
    views = []
    for column, _ in VIEWS:
        shown = types[types[column].notna() & (types["received"] > 0)]
        columns: dict[str, Any] = {name: shown[name].tolist() for name in ("token", "role", "rank")}
        columns["label"] = [_drawn(readable(token)) for token in columns["token"]]
        columns["count"] = shown["count"].astype(int).tolist()
        drawn = {"received": shown["received"], "breadth": shown["breadth"], "entropy": shown[column]}
        for name, values in drawn.items():
            columns |= {name: as_stored(values.to_numpy()), f"{name}_{TOLD}": list(map(number, values))}
        above = shown["received"] >= ATTENDED
        best = above if above.sum() <= FEW else shown["received"] == types["received"].max()
        named = shown["role"].isin(NAMED) | shown["token"].isin(SPECIAL) | best
        columns["named"] = named.astype(int).tolist()
        views.append({"columns": columns, "constants": {"corpus": atlas.corpus, "of": column}})
    return Figure(
        id="tokens",
        label=_seen(types),
        kinds=("tokens",),
        data=embed({"shared": {}, "views": views}),
        views=tuple(Link(text, "") for _, text in VIEWS),
        chooser="Entropy of",
        caption=(
            "Each point is a frequent token type, coloured by its role over all layers. Further right: more varied "
            "company. Higher up: more attention received per occurrence; the dashed line is what uniform attention "
            "gives. Special tokens, hunters, separators, loners and the token that receives most are named, and all "
            f"that get {ATTENDED:.2g} times that or more if there are no more than {in_letters(FEW)}; point at any "
            f"other to see its name. Every entropy is of {SAMPLE} occurrences, so that types of different frequency "
            f"can be compared; types with fewer are left out. Measured on {atlas.text}."
        ),
        table=Table(
            ("token", "role", *(text for _, text in VIEWS), "received, times uniform"),
            tuple(
                (
                    Token(row["token"]),
                    row["role"],
                    *(number(row[column]) for column, _ in VIEWS),
                    number(row["received"]),
                )
                for row in records(types)
            ),
        ),
    )


def tokens(types: pd.DataFrame, whole: list[Role], page: str) -> Section:
    """Each token with its role and the numbers that gave it."""
    columns = (
        "token",
        "role",
        "rank by frequency",
        to_term("n", "n, occurrences", page),
        to_term("attention-received", "received, times uniform", page),
        to_term("breadth", f"{in_unit('breadth', OVER_LAYERS, 'breadth')} of uniform entropy", page),
        in_unit("entropy of who attends", OVER_LAYERS, "attended_by_entropy"),
        in_unit("entropy of neighbours", OVER_LAYERS, "beside"),
        in_unit("how much its place varies", OVER_LAYERS, "end_deviation"),
        "why",
    )
    measured = ("received", "breadth", "attended_by_entropy", "beside", "end_deviation")
    rows = (
        (
            Token(row["token"]),
            role.name,
            count(row["rank"]),
            count(row["count"]),
            *(number(row[name]) for name in measured),
            role.reason,
        )
        for row, role in zip(records(types), whole, strict=True)
    )
    return Section(
        "tokens-by-role",
        "Token by token",
        (
            prose(
                "Means over layers and heads of what an occurrence receives and gives. They come from sums over all "
                "occurrences and so have no interval. How much its place varies is the standard deviation of its "
                "distance to the end of its segment."
            ),
            Table(columns, tuple(rows), "Frequent tokens and their roles", style="fg-tokens"),
        ),
    )


@dataclass(frozen=True)
class Mark:
    """The role of a token in one layer: a letter, underlined in the role's colour."""

    role: str

    def __html__(self) -> str:
        """The letter; the role's name is shown when a pointer rests on it."""
        return Markup('<span class="fg-role-{0}" title="{0}">{1}</span>').format(self.role, MARKS[self.role])


def changes(rows: pd.DataFrame, whole: list[Role]) -> Section:
    """Roles by layer; `classify` returns the types of a layer in the order of their ranks, which is that of `whole`."""
    by_layer: dict[int, list[Role]] = {}
    for role in classify(rows):
        by_layer.setdefault(role.layer, []).append(role)
    lines = (
        (Token(role.token), *(Mark(layer[at].name) for layer in by_layer.values()), role.name)
        for at, role in enumerate(whole)
    )
    columns = ("token", *map(str, by_layer), "all layers")
    return Section(
        "layers",
        "Layer by layer",
        (
            "The same rules applied to each layer alone; a dash means no role.",
            Table(columns, tuple(lines), "Roles by layer", style="fg-roles"),
        ),
    )


def behave(found: Mapping[str, Sequence[str]]) -> str:
    """Which types have which of these roles.

    >>> behave({"hunter": [], "separator": ["[CLS]"], "loner": []})
    '“[CLS]” behaves as a separator, the role that the hypothesis gives to [SEP], and no token as a hunter or a loner'
    >>> behave({"hunter": ["[CLS]"], "separator": [], "loner": [".", ","]})
    '“[CLS]” behaves as a hunter, “.” and “,” behave as loners, and no token as a separator'
    """
    parts = [_as(name, some) for name, some in found.items() if some]
    nobody = listed([f"a {name}" for name, some in found.items() if not some], "or")
    parts += [f"no token {'' if parts else 'behaves '}as {nobody}"] if nobody else []
    return f"{', '.join(parts[:-1])}{', and ' if parts[1:] else ''}{parts[-1]}"


def _as(name: str, tokens: Sequence[str]) -> str:
    """The tokens with one role, and to which other tokens the hypothesis gives it."""
    which = f"behaves as a {name}" if len(tokens) == 1 else f"behave as {name}s"
    of, meant = MEANT[name]
    other = (
        "" if all(CLASS_OF.get(token) is of for token in tokens) else f", the role that the hypothesis gives to {meant}"
    )
    return f"{listed([f'“{token}”' for token in tokens])} {which}{other}"


PAGE = StudyPage(TITLE, addresses.roles, there, roles_page)
