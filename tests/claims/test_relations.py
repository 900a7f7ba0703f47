"""Claims on relations: languages that have none, offsets that leave no room, and heads that serve several."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from generator.claims.all import CLAIMS
from generator.claims.claim import judge
from generator.claims.evidence.evidence import Evidence
from generator.corpora import treebank
from generator.corpora.languages import OTHERWISE
from generator.corpora.relation_names import DIRECTIONS, in_words
from generator.numbers.number import UNDEFINED, Number
from generator.numbers.resampling import proportion
from generator.topics.relations.claims.chosen import RelationHead
from generator.topics.relations.claims.syntax import share_by_head
from tests.claims.made import TREEBANK, Made, as_stored, joined, record, relation
from tests.results.samples import corpus_of

BY_ID = {claim.id: claim for claim in CLAIMS}
NAMES = {"C14": "obj", "C15": "det", "C16": "case", "C17": "nmod:poss", "C18": "aux:pass"}
SEVERAL = ("compound:prt", "ccomp", "mark", "compound")


def in_language(code, *tables):
    """Evidence whose treebank is written in a language, or in one that nobody named."""
    bank = corpus_of(treebank.TREEBANK, TREEBANK, language=code)
    return Evidence(Made(replace(record(), corpora=(bank,)), joined(*tables)))


def verdict(claim, code, *names):
    """Of a claim where every named relation has a good head and an offset that is right half of the time."""
    return judge(BY_ID[claim], in_language(code, *(relation(name, 0.8, 0.3) for name in names)))


NAMED = {"de": "German", "ko": "Korean"}


@pytest.mark.parametrize("claim", NAMES)
@pytest.mark.parametrize("code", ["en", "fr"])
def test_a_language_of_which_nothing_is_listed_is_judged_by_its_words(claim, code):
    found = verdict(claim, code, NAMES[claim])
    assert found.verdict == "holds"
    assert found.language == ('the language "fr"' if code == "fr" else "")


@pytest.mark.parametrize("claim", [*NAMES, "C19"])
def test_a_treebank_whose_language_nobody_names_is_not_taken_for_english(claim):
    found = verdict(claim, "", *NAMES.values(), *SEVERAL)
    assert found.verdict == "not testable"
    assert found.reason == (
        "Not testable: the language of the treebank is not known, and the claim was made on English; name it with a "
        "line '# language = en' in the file, or another code, and analyse again."
    )
    assert found.language == ""


@pytest.mark.parametrize(("code", "claim"), [(code, claim) for code in OTHERWISE for claim in NAMES])
def test_what_a_language_marks_otherwise_is_not_testable_and_the_rest_is_about_that_language(code, claim):
    found = verdict(claim, code, NAMES[claim])
    otherwise = OTHERWISE[code].get(NAMES[claim])
    assert found.language == NAMED[code]
    assert found.verdict == ("not testable" if otherwise else "holds")
    if otherwise:
        expected = f"{NAMED[code]} has no words that are {in_words(NAMES[claim])}: {otherwise.how} ({otherwise.source})"
        assert found.reason == f"Not testable: {expected}."


def test_the_language_is_the_reason_where_the_treebank_lacks_the_relation_too():
    assert "no auxiliary makes a passive" in verdict("C18", "ko", "obj").reason
    assert verdict("C18", "en", "obj").reason == "Not testable: the treebank that was read has no passive auxiliaries."


def test_a_relation_of_few_words_is_told_from_one_without_words():
    row = {"model": "Tiny", "corpus": TREEBANK, "relation": "aux:pass", "direction": DIRECTIONS[0], "n": 9}
    counts = as_stored("relations", pd.DataFrame([row | {"layer": 1, "head": 1, "correct": 5}]))
    found = judge(BY_ID["C18"], in_language("en", relation("obj", 0.8, 0.3), counts))
    assert found.reason == (
        "Not testable: the treebank that was read has too few passive auxiliaries (9) to choose a head on one half of "
        "the sentences and test it on the other."
    )


@pytest.mark.parametrize(("n", "gain", "why"), [(49, 0.3, "no relation of the"), (50, 0.009, "no head is surely")])
def test_no_relation_with_words_enough_is_another_reason_than_no_head_that_beats_the_offset(n, gain, why):
    found = judge(BY_ID["H01"], in_language("en", relation("obj", 0.5, gain, n=n)))
    assert found.reason.startswith(f"Not testable: {why}")


def test_one_relation_that_a_language_lacks_leaves_the_others_to_be_judged():
    whole = verdict("C19", "de", *SEVERAL)
    assert [finding.verdict for finding in whole.findings] == ["holds", "holds", "holds", "not testable"]
    assert whole.verdict == "not testable"
    assert "noun compounds are written as one word" in whole.reason
    assert [finding.verdict for finding in verdict("C19", "en", *SEVERAL).findings] == [
        "holds",
        "holds",
        "holds",
        "fails",
    ]


def test_a_head_beside_an_offset_that_is_nearly_always_right_is_told_so():
    """As in a small treebank in which every passive auxiliary stands before its verb."""
    found = judge(BY_ID["C18"], in_language("en", relation("aux:pass", 1.0, 0.0, n=200)))
    assert found.verdict == "not testable"
    assert found.reason.startswith(
        "Not testable: a fixed offset finds 100 % of the passive auxiliaries already, so that no "
    )
    assert found.reason.endswith("head can gain more than 0, and whether the gain is above 0.1 is settled.")


def test_few_words_are_told_with_their_number():
    found = judge(BY_ID["C14"], in_language("en", relation("obj", 0.8, 0.4, n=49)))
    assert found.verdict == "not testable"
    assert found.reason == "Not testable: only 49 words, where at least 50 are needed."


def _item(place, true=True):
    number = Number(0.5, 0.4, 0.6, 60)
    return RelationHead("r", "dep->head", *place, number, number, 0.3, UNDEFINED), true


def test_a_head_with_seven_relations_counts_once():
    """Seven of ten relations are true, and all are one head's: of four heads one is true."""
    items = [*[_item((1, 1)) for _ in range(7)], *(_item((2, head), False) for head in (1, 2, 3))]
    found = share_by_head(items, seed=0)
    assert (found.value, found.n) == (0.7, 4)
    assert found.low < 0.2, "the one head may be missing from a sample"
    assert found.high > 0.9, "or be drawn more than once"


def test_the_interval_of_a_share_is_that_of_drawn_heads_and_not_narrower_than_wilsons():
    """Heads are drawn one by one, with all of their relations, from the seed's own generator."""
    rng = np.random.default_rng(1)
    items = [_item((layer, 1), bool(rng.random() < 0.6)) for layer in range(1, 13) for _ in range(rng.integers(1, 4))]
    found = share_by_head(items, seed=4)
    heads = sorted({(item.layer, item.head) for item, _ in items})
    drawn = []
    for counts in np.random.default_rng(4).multinomial(len(heads), np.full(len(heads), 1 / len(heads)), size=1000):
        truths = [
            true
            for head, count in zip(heads, counts, strict=True)
            for _ in range(count)
            for item, true in items
            if (item.layer, item.head) == head
        ]
        drawn.append(sum(truths) / len(truths))
    wilson = proportion(round(found.value * len(heads)), len(heads))
    assert found.value == sum(true for _, true in items) / len(items)
    assert found.n == len(heads) == 12
    assert found.low == pytest.approx(min(np.quantile(drawn, 0.025), wilson.low))
    assert found.high == pytest.approx(max(np.quantile(drawn, 0.975), wilson.high))


def test_heads_that_all_agree_still_leave_an_interval():
    found = share_by_head([_item((layer, 1)) for layer in range(1, 6)], seed=0)
    assert found.value == found.high == 1
    assert found.low == pytest.approx(0.025 ** (1 / 5))
