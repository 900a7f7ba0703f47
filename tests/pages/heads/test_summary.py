"""A head's sentence and kind follow from its numbers by rules: each is reached, and turns at its boundary."""

import math

import pytest

from generator.claims.gate import maps
from generator.claims.gate.maps import WIDE as BROAD
from generator.claims.gate.maps import Measured
from generator.claims.gate.statement import Statement, given
from generator.measures.position import OFFSET_COLUMNS
from generator.numbers.number import Number, exact
from generator.numbers.simultaneous import widened
from generator.pages.heads.aside import Aside, Reason
from generator.pages.heads.naming.names import of_maps
from generator.pages.heads.naming.naming import finds
from generator.pages.heads.naming.specialty import Specialty
from generator.pages.heads.summary import (
    BY_MEAN,
    MOST,
    NOTABLE,
    ORDINARY,
    OTHERS,
    SILENT,
    TARGETS,
    Summary,
    Target,
    summarise,
)
from generator.pages.heads.summary import kinds as every_kind
from generator.topics.learning.derived.intervals import layer_breadth
from generator.topics.tasks.claims import needs as losses

EPSILON = 1e-6
NOT_SURE = "together 70 %, but perhaps less than half with all heads in view"
N = maps.FEWEST
UNIFORM = dict.fromkeys((*OFFSET_COLUMNS, *(target.column for target in TARGETS)), 0.01)
UNIFORM |= {"entropy.all": 4.0, "pattern.vertical": 0.0, OTHERS: 0.8}
COLUMNS = {target.kind: target.column for target in TARGETS}
EACH_TARGET = pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.kind)
OBJECTS = Specialty(
    "relation",
    "finds direct objects",
    "direct objects (obj)",
    "Right.",
    "Supported.",
    Number(0.7, 0.6, 0.8, 90),
    (1, 0.4),
    (("best fixed offset", Number(0.4, 0.35, 0.45, 50)),),
)


def numbers(entropy: float = 1.0, **shares: float) -> dict[str, Number]:
    """Those of a head that gives these kinds of target these shares, and nothing to the others."""
    values = {target.column: shares.get(target.kind, 0.0) for target in TARGETS} | {"entropy.all": entropy}
    return {column: exact(value, N) for column, value in values.items()}


def summary(values: dict[str, Number], *more: object, heads: int = 1, others: tuple[Statement, ...] = ()) -> Summary:
    """The summary of a head with these numbers, of a model with so many heads; `others` may be said of it, too."""
    broad = layer_breadth(values["entropy.all"], UNIFORM["entropy.all"])
    one = Measured((1, 1), values, UNIFORM, heads, breadth=Number(*map(float, broad[:3]), broad.n))
    said = {statement.kind: statement for statement in (*others, *reversed(given(of_maps(one, COLUMNS))))}
    order = maps.TARGET, maps.PATTERN, maps.WINDOW, maps.BROAD, losses.COST
    return summarise(one, [said[kind] for kind in order if kind in said], *more)  # type: ignore[arg-type]


def of(entropy: float = 1.0, **shares: float) -> Summary:
    """The summary of such a head."""
    return summary(numbers(entropy, **shares))


def with_norm(target: Target, share: float, norm: float) -> str:
    """The sentence of a head whose target has this share and this contribution."""
    return summary(numbers(**{target.kind: share}) | ({target.norm: exact(norm, N)} if target.norm else {})).text


def test_every_kind_is_reached() -> None:
    reached = {of(**{target.kind: 0.9}).kind for target in TARGETS} | {of(entropy=3.9).kind, of().kind}
    assert reached | set(finds()) | {maps.PATTERN, maps.WINDOW, losses.COST} == set(every_kind())


SHAPE = Statement((1, 1), maps.PATTERN, "pattern.vertical", exact(0.9, N), (), ())
MEAN = {"value": 0.0, "low": 0.0, "high": 0.0, "n": 50}
LOSS = Statement((1, 1), losses.COST, "sst2/uniform", exact(0.1, 50), (), (("facts", MEAN),))


def vertical(**shares: float) -> dict[str, Number]:
    """Those of a head of which nearly all maps are vertical."""
    return numbers(**shares) | {"pattern.vertical": exact(0.9, N)}


def test_a_pattern_goes_before_breadth_and_a_loss_before_nothing() -> None:
    def kind(entropy: float, **shares: float) -> str:
        return summary(vertical(entropy=entropy, **shares), others=(SHAPE, LOSS)).kind

    def without_pattern(entropy: float) -> str:
        return summary(numbers(entropy), others=(LOSS,)).kind

    assert (kind(1.0, begin=MOST + EPSILON), kind(3.9), kind(1.0)) == ("begin", maps.PATTERN, maps.PATTERN)
    assert (without_pattern(3.9), without_pattern(1.0)) == ("broad", losses.COST)
    seen = summary(numbers(), others=(LOSS,))
    assert (seen.title, seen.share, seen.first) == ("is needed for SST-2", 0.1, losses.COST)
    assert seen.text.startswith("Making its attention uniform costs 10 points of accuracy on SST-2")
    assert seen.badge[0] == "Supported: costs more than a random head"


def test_what_a_head_finds_without_being_named_for_it_is_told_after_its_pattern() -> None:
    other = Aside("objects", "shows less", "Finds some.", Reason("few", "they are few"), 30)
    seen = summary(vertical(begin=0.3, separator=0.3), (), None, other, others=(SHAPE,))
    assert (seen.title, seen.aside) == ("looks at [CLS] and [SEP]", other)
    assert seen.text.endswith("; with uniform attention, in none. Finds some.")
    assert seen.badge[1].endswith("; it is not named for the objects: they are few.")
    assert summary(numbers(), (), None, other).badge[0] == "Weak evidence: few"
    assert seen.alone == summary(vertical(begin=0.3, separator=0.3), others=(SHAPE,))


@EACH_TARGET
def test_a_target_names_a_head_if_an_interval_for_all_heads_lies_above_one_half(target: Target) -> None:
    heads, value = 72, 0.6
    factor = 1 - widened(Number(1.0, 0.0, 1.0, N), heads).low
    for lower, kind in ((MOST + EPSILON, target.kind), (MOST - EPSILON, "none")):
        share = Number(value, value - (value - lower) / factor, 0.7, N)
        seen = summary(numbers() | {target.column: share}, heads=heads)
        assert seen.kind == kind
    assert seen.text.startswith("60 % (")
    assert seen.text.endswith(f" of its attention goes to {target.words}, where uniform attention would give 1 %.")
    assert summary(numbers() | {target.column: share}, heads=heads - 1).kind == target.kind


def test_breadth_names_a_head_if_an_interval_for_all_heads_lies_above_the_line() -> None:
    heads, most = 72, UNIFORM["entropy.all"]
    factor = 1 - widened(Number(1.0, 0.0, 1.0, N), heads).low
    for lower, kind in ((BROAD + EPSILON, "broad"), (BROAD - EPSILON, "none")):
        entropy = Number(0.85 * most, (0.85 - (0.85 - lower) / factor) * most, 0.9 * most, N)
        assert summary(numbers() | {"entropy.all": entropy}, heads=heads).kind == kind


def test_a_window_is_told_after_a_pattern_and_before_breadth() -> None:
    columns = {name: exact(0.0, N) for name in OFFSET_COLUMNS} | {
        "offset.-1": exact(0.3, N),
        "offset.-2": exact(0.3, N),
    }
    seen, after = (summary(values | columns) for values in (numbers(entropy=3.9), numbers(begin=0.6)))
    assert (seen.kind, seen.title, seen.share, seen.badge[0]) == (
        maps.WINDOW,
        "looks at the two tokens before",
        0.6,
        f"Supported: surely over half, {N} documents",
    )
    assert seen.text == "60 % of its attention goes to the two tokens before; uniform attention would give 2 %."
    assert after.kind == "begin"
    assert summary(vertical() | columns, others=(SHAPE,)).kind == maps.PATTERN


def test_maps_of_a_handful_of_documents_name_no_head() -> None:
    few = {column: share._replace(n=N - 1) for column, share in numbers(begin=0.9).items()}
    assert of(begin=0.9).kind == "begin"
    assert summary(few).kind == "none"


def test_what_a_head_finds_goes_before_all_else() -> None:
    other = OBJECTS._replace(kind="antecedent", found="antecedents")
    seen = summary(numbers(begin=0.9), [OBJECTS, other])
    assert (seen.kind, seen.first, seen.share) == ("relation", "relation", OBJECTS.right.value)
    assert (seen.title, seen.trust) == (OBJECTS.title, OBJECTS.trust)
    assert seen.text == "Right. It is also named for finding antecedents."
    assert summary(numbers(begin=0.9), [OBJECTS]).text == OBJECTS.text


def test_a_baseline_that_is_right_more_often_stands_in_the_badge() -> None:
    """Whatever a head finds, and whatever topic says so."""
    sure = OBJECTS._replace(sure="Supported: beats it")
    more = sure._replace(beside=(*sure.beside, ("all rules", Number(0.71, 0.6, 0.8, 90)), ("x", exact(0.7, N))))
    assert summary(numbers(), [sure]).badge[0] == "Supported: beats it"
    seen = summary(numbers(), [more, more._replace(found="antecedents")])
    assert seen.badge[0] == "Supported: beats it; right more often: all rules"
    assert seen.text == "Right. It is also named for finding antecedents (right more often: all rules)."


def test_special_tokens_have_the_names_of_the_tokenizer() -> None:
    seen = summary(numbers(begin=0.9), (), {"begin": "<s>"})
    assert seen.title == "looks at <s>"
    assert "goes to <s>;" in seen.text


@EACH_TARGET
def test_head_is_named_after_a_target_that_takes_more_than_half(target: Target) -> None:
    above, at = of(**{target.kind: MOST + EPSILON}), of(**{target.kind: MOST})
    assert (above.kind, above.first, above.share) == (target.kind, target.kind, MOST + EPSILON)
    assert above.title == f"looks at {target.words}"
    assert above.text == f"50.0001 % of its attention goes to {target.words}; uniform attention would give 1 %."
    assert above.badge == (f"Supported: surely over half, {N} documents", f"{BY_MEAN[:1].upper()}{BY_MEAN[1:]}.")
    assert (at.kind, at.first) == ("none", target.kind)


def test_largest_of_two_targets_names_the_head() -> None:
    assert of(begin=0.6, separator=0.7).kind == "separator"
    assert of(begin=0.7, separator=0.6).kind == "begin"


def test_head_is_broad_from_four_fifths_of_the_uniform_entropy() -> None:
    most = UNIFORM["entropy.all"]
    above = of(entropy=BROAD * most + EPSILON)
    assert (above.kind, above.first) == ("broad", "broad")
    assert above.share == pytest.approx(BROAD)
    assert above.badge[0] == f"Supported: surely above 80 % of uniform, {N} documents"
    wide, whole = (f"{math.exp(nats):.0f}" for nats in (BROAD * most, most))
    assert above.text == (
        f"Its attention is as wide as if {wide} of {whole} tokens got the same share of it; "
        "its entropy is 80.00003 % of that of uniform attention."
    )
    assert of(entropy=BROAD * most).kind == "none"


def test_a_name_says_where_alone_it_is_true() -> None:
    values = numbers(begin=0.6)
    one = Measured((1, 1), values, UNIFORM, 1, breadth=Number(0.2, 0.2, 0.2, N))
    (said,) = [statement for statement in given(of_maps(one, COLUMNS)) if statement.kind == maps.TARGET]
    assert summarise(one, [said]).title == "looks at [CLS]"
    assert summarise(one, [said._replace(only=" in running text")]).title == "looks at [CLS] in running text"


def test_share_of_a_broad_head_is_at_most_one() -> None:
    assert of(entropy=UNIFORM["entropy.all"] * 1.01).share == 1


def test_target_wins_over_breadth() -> None:
    assert of(entropy=3.9, begin=0.6).kind == "begin"


def test_head_without_a_specialty_names_its_two_largest_targets() -> None:
    seen = of(begin=0.2, previous=0.4, next=0.3)
    assert (seen.kind, seen.first, seen.share) == ("none", "previous", 0.4)
    assert seen.text == (
        "40 % of its attention goes to the previous token, where uniform attention would give 1 %, "
        "and 30 % to the next token."
    )
    assert "begin" not in seen.text


@pytest.mark.parametrize(("width", "told"), [(0.1, False), (0.3, True)])
@pytest.mark.parametrize(("kind", "half"), [("separator", NOT_SURE), ("previous", "together perhaps more than half")])
def test_of_two_targets_that_may_get_more_than_half_this_is_said(
    width: float, told: bool, kind: str, half: str
) -> None:
    """What goes to the previous token may go to [CLS], too, so their shares have no sum."""
    values = numbers(begin=0.4, **{kind: 0.3})
    values["attention.cls"] = Number(0.4, 0.4 - width, 0.4 + width, N)
    words = next(target.words for target in TARGETS if target.kind == kind)
    assert summary(values).text.endswith(f"30 % to {words}{f', {half}' * told}.")


def test_head_without_a_specialty_names_no_target_below_the_line() -> None:
    assert of(next=NOTABLE).text.startswith("15 % of its attention goes to the next token, where")
    below = of(next=NOTABLE - EPSILON)
    assert (below.kind, below.first) == ("none", "none")
    assert below.text == "No special token, mark or neighbour gets 15 % of its attention."


@pytest.mark.parametrize(("share", "told"), [(NOTABLE, True), (NOTABLE - EPSILON, False)])
def test_what_goes_to_ordinary_words_is_told_of_a_head_without_a_specialty(share: float, told: bool) -> None:
    seen = summary(numbers(begin=0.2) | {OTHERS: exact(share, N)})
    assert seen.text.endswith(f"; 15 % goes to {ORDINARY} (uniform: 80 %).") is told
    assert (OTHERS in seen.shares) is told, "what the sentence tells is not told again below"


@EACH_TARGET
def test_looked_at_more_than_used_is_said_from_half_of_the_weight_down(target: Target) -> None:
    share = 0.8
    said = " But only 39.9999 % of its output comes from there."
    assert with_norm(target, share, SILENT * share - EPSILON).endswith(said) == bool(target.norm)
    assert "output" not in with_norm(target, share, SILENT * share)


@EACH_TARGET
def test_undefined_norm_is_passed_over(target: Target) -> None:
    assert "output" not in with_norm(target, 0.8, math.nan)


@pytest.mark.parametrize("missing", [{"begin"}, {"begin", "separator"}], ids=["begin", "both"])
def test_undefined_targets_are_never_named(missing: set[str]) -> None:
    """A tokenizer without special tokens leaves their measures undefined."""
    seen = of(**{target.kind: math.nan if target.kind in missing else 0.3 for target in TARGETS})
    assert seen.kind == "none"
    assert seen.first not in missing
    assert "nan" not in seen.text
    assert not math.isnan(seen.share)


def test_a_number_hard_by_the_cut_off_that_decided_reads_as_lying_on_its_side() -> None:
    assert of(begin=0.50004).text.startswith("50.004 % of its attention goes to [CLS]; ")
    assert of(begin=0.49996).text.startswith("49.996 % of its attention goes to [CLS], ")
    assert "80.004 % of that of uniform" in of(entropy=0.80004 * UNIFORM["entropy.all"]).text
    begin = next(target for target in TARGETS if target.kind == "begin")
    assert with_norm(begin, 0.9, 0.44996).endswith(" But only 44.996 % of its output comes from there.")


def test_a_head_has_no_specialty_only_where_one_was_looked_for() -> None:
    one = Measured((1, 1), numbers(begin=0.2), UNIFORM, 1)
    read, unread = (summarise(one, (), looked=looked) for looked in (True, False))
    assert (read.title, read.called) == ("has no clear job: a mix of [CLS] and other tokens", "no specialty found")
    assert (unread.title, unread.called) == (read.title, "no treebank read")
    assert (read.kind, read.text) == (unread.kind, unread.text)
    assert (
        summarise(one, given(of_maps(one._replace(values=numbers(begin=0.9)), COLUMNS)), looked=False).called == "[CLS]"
    )
