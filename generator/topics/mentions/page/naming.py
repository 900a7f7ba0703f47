"""What a head is said to find that finds antecedents among linked mentions, in words.

The rule stands in `generator.topics.mentions.claims.finds`; what it does not give is not said.
"""

from collections.abc import Iterable

from generator.claims.bounds import counted
from generator.claims.gate.statement import Statement
from generator.numbers.number import Number
from generator.numbers.writing import percent
from generator.pages.heads.naming.naming import Find
from generator.pages.heads.naming.specialty import LEVELS, Specialty
from generator.pages.heads.of_head import OfHead
from generator.results.store import Results
from generator.topics.mentions.claims.finds import ANTECEDENT, COUNTED, IN_TURN, TABLE, antecedents
from generator.topics.mentions.records import ANTECEDENTS

UNITS = "mentions"
RULE = "best simple rule"
RULES = "all rules in turn"
"""What a named head beats, and what, as it is no single rule, may be right more often."""
UNLINKED = "In no sentence that may be shown are mentions linked, so these arcs do not show what it finds."


def _names(results: Results) -> Iterable[Statement]:
    return antecedents(results.table(TABLE), results.of_study(COUNTED, ANTECEDENTS.name))


def _specialty(statement: Statement) -> Specialty:
    """The head that finds antecedents among the head words of earlier mentions."""
    head, rule, gain, *rest = statement.of(TABLE)
    in_turn = [Number.of(row) for row in rest if (row["predictor"], row["corpus"]) == (IN_TURN, head["corpus"])]
    baselines = (RULE, Number.of(rule)), *((RULES, number) for number in in_turn)
    text, short = (
        f"For {percent(statement.number, ends=ends)} of the mentions that refer back to something, the earlier mention "
        f"they look at most is of the same thing; the {RULE} is right for {percent(baselines[0][1], ends=ends)}"
        + "".join(
            f"{', but' if number.value > statement.number.value else ', and'} {name} for {percent(number, ends=ends)}"
            for name, number in baselines[1:]
        )
        + "."
        for ends in (True, False)
    )
    trust = f"{LEVELS[1]}: chosen on half of the documents, counted on {head['n']:,} mentions of the other half of "
    strength = 1, gain["value"]
    whole, trust = "finds what a mention refers to", f"{trust}{head['corpus']}."
    sure = f"{LEVELS[1]}: beats the {RULE} in {counted(1, 'texts')}"
    return Specialty(
        statement.kind,
        whole=whole,
        found=statement.about,
        text=text,
        trust=trust,
        right=statement.number,
        strength=strength,
        beside=baselines,
        short=short,
        sure=sure,
        units=UNITS,
    )


NAMING = Find(
    kind=ANTECEDENT,
    called="finds antecedents",
    story=("what-does-bert-look-at/#antecedents-and-all-heads-together", "Do heads know who is meant?"),
    words=("coreference", "anaphora", "anaphors", "antecedents"),
    statements=_names,
    title=lambda _: "finds what a mention refers to",
    specialty=_specialty,
    tables=(TABLE,),
)


class OfMentions(OfHead):
    """What is said of a head that finds antecedents."""

    def undrawn(self, layer: int, head: int) -> str:
        """That no sentence with linked mentions is kept."""
        found = self.atlas.summaries[layer, head].found
        return UNLINKED if found and found.kind == ANTECEDENT else ""


OF_HEADS = OfMentions
