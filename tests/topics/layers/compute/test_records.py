"""What is made of stored tables has records: those of phases, shares and correlations name what the code gives."""

from dataclasses import fields

import pytest

from generator.numbers.quantity import Undeclared
from generator.topics.layers.derived.pattern_shares import RULES, STEPS
from generator.topics.layers.derived.phases import Phases, Signature
from generator.topics.layers.records import PATTERN_SHARES, PHASES


def test_every_number_of_phases_has_a_record():
    for field in fields(Phases):
        if field.type is float:
            assert PHASES.quantity(field.name).title
    for field in fields(Signature):
        if field.type is float:
            for phase in ("one", "two", "three"):
                assert PHASES.quantity(f"{field.name}.{phase}").title
    assert {one.type for one in fields(Phases)} > {float}
    with pytest.raises(Undeclared):
        PHASES.quantity("fit")


def test_every_rule_and_cut_off_of_patterns_has_a_record():
    for rule in RULES:
        for step in STEPS:
            assert PATTERN_SHARES.quantity(f"vertical.{rule}.{step:.2f}").unit == "share"
