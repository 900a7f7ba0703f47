"""The page on roles: tokens with their role, by rule and by layer."""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from generator.numbers.writing import number
from generator.pages.blocks import Figure, Items, Table
from generator.pages.figures import DIGITS
from generator.pages.heads.atlas import Atlas
from generator.topics.layers.claims.phases import SPECIAL
from generator.topics.tokens.derived.rules import ATTENDED, classify, classify_model
from generator.topics.tokens.page.roles import FEW, MARKS, NAMED, roles_page
from generator.topics.tokens.records.tokens import SAMPLE
from tests.pages.reading import block, seen, text
from tests.topics.inputs.page.test_inputs import again


def test_tokens_have_their_role_reason_and_means_over_layers(full: Atlas) -> None:
    stored = full.results.table("roles")
    roles = {role.token: role for role in classify_model(stored)}
    table = block(roles_page(full), "tokens-by-role", Table)
    ranks = [int(text(row[2])) for row in table.rows]
    assert ranks == sorted(stored["rank"].unique())
    for row in table.rows:
        token = row[0].piece
        rows = stored[stored["token"] == token]
        assert (row[1], row[-1]) == (roles[token].name, roles[token].reason)
        assert text(row[3]) == f"{rows['count'].iloc[0]:,}"
        for cell, name in zip(row[4:7], ("received", "breadth", "attended_by_entropy"), strict=True):
            assert cell == number(sum(rows[name]) / len(rows)), (token, name)


def test_roles_by_layer_are_those_of_each_token(full: Atlas) -> None:
    stored = full.results.table("roles")
    roles = {(role.token, role.layer): role.name for role in classify(stored)}
    table = block(roles_page(full), "layers", Table)
    assert table.columns[1:-1] == ("1", "2", "3")
    for row in table.rows:
        assert [mark.role for mark in row[1:-1]] == [roles[row[0].piece, layer] for layer in (1, 2, 3)]
        assert [seen(mark) for mark in row[1:-1]] == [MARKS[mark.role] for mark in row[1:-1]]


def test_ranks_of_special_tokens_stand_beside_the_tokens(full: Atlas) -> None:
    stored = full.results.table("roles")
    special = dict(stored[stored["token"].isin(SPECIAL)].sort_values("rank")[["token", "rank"]].to_numpy())
    found = block(roles_page(full), "outsiders", Items).lines
    assert [(token.piece, int(rank)) for token, rank in found] == list(special.items())
    assert len(found) > 1


def test_points_are_tokens_whose_entropy_is_known(full: Atlas) -> None:
    stored = full.results.table("roles")
    for view in json.loads(block(roles_page(full), "", Figure).data)["views"]:
        of, columns = view["constants"]["of"], view["columns"]
        known = set()
        for token, rows in stored.groupby("token"):
            sides = rows[["next_entropy", "previous_entropy"]] if of == "beside" else rows[[of]]
            value = np.nanmean(sides.iloc[0] if of == "beside" else sides) if sides.notna().any(axis=None) else np.nan
            if not np.isnan(value):
                known.add(token)
                at = columns["token"].index(token)
                assert columns["entropy"][at] == pytest.approx(value, abs=10**-DIGITS)
                assert columns["received"][at] == pytest.approx(rows["received"].mean(), abs=10**-DIGITS)
        assert known == set(columns["token"])


def test_the_token_that_receives_most_is_named_in_the_picture_and_marks_stand_in_quotes(
    full: Atlas, tmp_path: Path
) -> None:
    roles = full.results.table("roles")
    plain = next(token for token in roles["token"] if token.isalnum())
    most = roles["received"].where(roles["token"] != plain, 1.5 * ATTENDED + roles["received"].max())
    page = roles_page(again(full, tmp_path, roles=roles.assign(received=most, attended_by_entropy=math.pi)))
    columns = json.loads(block(page, "", Figure).data)["views"][0]["columns"]
    at = columns["token"].index(plain)
    assert (columns["role"][at], columns["named"][at]) == ("insider", 1)
    single = {label for label in columns["label"] if not label.isalnum() and "[" not in label}
    assert single
    assert all(len(label) > 1 for label in single)


@pytest.mark.parametrize("above", [FEW, FEW + 1])
def test_all_tokens_that_the_title_counts_are_named_where_they_are_few(full: Atlas, tmp_path: Path, above: int) -> None:
    roles = full.results.table("roles")
    words = [token for token in dict.fromkeys(roles["token"]) if token not in SPECIAL][: above - 1]
    special = roles["token"] == SPECIAL[0]
    received = np.where(special, 9.0, np.where(roles["token"].isin(words), ATTENDED, ATTENDED - 0.01))
    page = roles_page(again(full, tmp_path, roles=roles.assign(received=received, attended_by_entropy=math.pi)))
    figure = block(page, "", Figure)
    assert figure.label.startswith(f"{above} of ")
    assert f"“{SPECIAL[0]}” receives 9 times as much" in figure.label
    columns = json.loads(figure.data)["views"][0]["columns"]
    for token, named, role in zip(columns["token"], columns["named"], columns["role"], strict=True):
        always = token in SPECIAL or role in NAMED
        assert named == (always or (above <= FEW and token in words)), token


def test_types_that_are_too_rare_for_a_role_are_counted_in_the_lead(full: Atlas, tmp_path: Path) -> None:
    roles, entropies = full.results.table("roles"), ["attended_by_entropy", "attends_to_entropy"]
    known = roles.fillna(dict.fromkeys(entropies, math.pi))
    one, *rare = sorted(set(roles["token"]))
    unknown = known.assign(**{name: known[name].where(known["token"] == one) for name in entropies})
    every, single = (again(full, tmp_path / name, roles=rows) for name, rows in (("all", known), ("one", unknown)))
    assert "because" not in roles_page(every).lead
    page = roles_page(single)
    assert page.lead.endswith(f"{len(rare)} have no role, all of them because they occur fewer than {SAMPLE} times.")
    reasons = [str(row[-1]) for row in block(page, "tokens-by-role", Table).rows]
    assert not any(re.search(r"\d\.\d{6}", reason) for reason in reasons), "an entropy alone is its own median"
