"""What a model's page on roles says about special tokens: how frequent they are, and how freely they are placed."""

import pandas as pd

from generator.numbers.writing import number
from generator.pages.blocks import Items, Note, Section
from generator.pages.inline import Token
from generator.pages.studies.tables import table
from generator.topics.layers.claims.phases import SPECIAL
from generator.topics.tokens.derived.rules import FREQUENT, outsiders, places

SEPARATORS, PERIODS = ("[SEP]", "</s>"), (".", ",")
NO_SPECIAL = "The text has none of the special tokens that the hypothesis names."


def special_tokens(rows: pd.DataFrame) -> Section:
    """Whether special tokens are frequent, whether their place is fixed, and how varied the tokens around them are."""
    found = outsiders(rows, SPECIAL)
    special = rows[rows["token"].isin(SPECIAL)].drop_duplicates("rank").sort_values("rank")
    names = sorted(set(special["token"]))
    columns = (
        "entropy of",
        f"special tokens ({' '.join(names) or 'none'})",
        f"others among the {FREQUENT} commonest",
        "p, one-sided",
    )
    contrasts = (
        ("the neighbours in the text", found.neighbours),
        ("who attends to the type", found.attended_by),
        ("what the type attends to", found.attends_to),
    )
    lines = (
        (text, *(number(value) for value in (contrast.special, contrast.others, contrast.p)))
        for text, contrast in contrasts
    )
    ranks = tuple((Token(token), f" {rank}") for token, rank in zip(special["token"], special["rank"], strict=True))
    frequent = f"{'All' if found.frequent else 'Not all'} are among the {FREQUENT} commonest types."
    return Section(
        "outsiders",
        "Are special tokens frequent outsiders?",
        (
            *(("Ranks by frequency:", Items(ranks)) if ranks else ()),
            f"{frequent if ranks else NO_SPECIAL} {_places(rows)}",
            table("Special tokens and other frequent types", columns, lines),
            Note(
                "Entropies in nats, means over types. p is that of an exact Mann-Whitney test over types: how often "
                "chance would place the special tokens as high. With so few types it can hardly be small; and because "
                "the tokenizer places [CLS] and [SEP], a part of their freedom is built in."
            ),
        ),
    )


def _places(rows: pd.DataFrame) -> str:
    found = places(rows, SEPARATORS, PERIODS)
    return (
        f"The distance to the end of the segment varies by {number(found.separator)} tokens for [SEP], for which "
        f"it is 0 by construction, and by at least {number(found.marks)} for periods and commas."
    )
