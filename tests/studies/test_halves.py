"""Halves of a corpus: who may check them, by hand or by another program, finds the same names on the same side."""

import hashlib

from generator.studies.halves import order, reported

NAMES = [f"sentence {number}" for number in range(200)]


def test_a_name_is_reported_if_the_first_byte_of_its_hash_is_odd():
    for seed in (0, 7):
        firsts = [int(hashlib.sha256(f"{seed}:{name}".encode()).hexdigest()[:2], 16) for name in NAMES]
        assert reported(NAMES, seed).tolist() == [first % 2 == 1 for first in firsts]


def test_another_seed_draws_other_halves_and_another_order():
    assert (reported(NAMES, 0) != reported(NAMES, 1)).any()
    assert order(NAMES, 0) != order(NAMES, 1)


def test_what_else_a_corpus_holds_changes_nothing():
    assert reported(NAMES, 3)[:50].tolist() == reported(NAMES[:50], 3).tolist()
    assert [name for name in order(NAMES, 3) if name in NAMES[:50]] == order(NAMES[49::-1], 3)
