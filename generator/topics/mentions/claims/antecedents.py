"""A head that finds antecedents (Clark et al. 2019, section 4.3), and answers of a tuned copy (Feinberg 2019)."""

from dataclasses import replace
from functools import partial

from generator.claims.bounds import cutoff, fewest
from generator.claims.claim import Claim, Finding, Part, part
from generator.claims.clark.position import CLARK
from generator.claims.evidence.evidence import Evidence
from generator.claims.evidence.rows import number
from generator.claims.missing import NotTestable, Uncounted
from generator.claims.nameless import OF_THE_MODEL, ON_DOCUMENTS
from generator.claims.others.introductions import NOTES
from generator.numbers.number import Number, alone
from generator.numbers.writing import percent
from generator.studies.halves import HELD_OUT
from generator.topics.mentions.claims.finds import COUNTED, TABLE, against
from generator.topics.mentions.records import ANTECEDENTS, BEST, GAIN


def antecedents(evidence: Evidence, predictor: str, kind: str = "all") -> Number:
    """How often a predictor, such as "head", "nearest" or "rules", selects an antecedent; or the head's gain over
    one. Candidates are mentions, and what is chosen is held-out.

    Raises NotTestable if no mentions were read, or if the text gives the predictor nothing to decide by.
    """
    table = evidence.table(ANTECEDENTS.name, predictor=predictor, kind=kind, candidates="mentions", protocol=HELD_OUT)
    found = number(table.iloc[0]) if len(table) else None
    if found is None:
        raise evidence.missing(ANTECEDENTS.name, predictor)
    evidence.named += [(layer, head) for layer, head in table[["layer", "head"]].to_numpy().tolist() if layer]
    return found


def _gain(evidence: Evidence, kind: str) -> Number:
    """For one kind of mention, the gain over the simple baseline that was best where the head was chosen."""
    gain = antecedents(evidence, GAIN + BEST, kind)
    if gain.n < fewest("mentions"):
        raise Uncounted(f"only {gain.n} mentions are {kind}, where at least {fewest('mentions')} are needed")
    return gain


def _over_matching(evidence: Evidence) -> Number:
    antecedents(evidence, "head")
    try:
        return antecedents(evidence, f"{GAIN}head match")
    except NotTestable:
        raise Uncounted("no head word of a mention equals one before it, so that matching finds nothing") from None


def _elsewhere(evidence: Evidence, found: Finding) -> list[str]:
    """What other texts say against the head that is best in the first, if it meets the threshold."""
    if found.verdict != "holds":
        return []
    tables = evidence.seen(TABLE), evidence.seen(COUNTED)
    read = evidence.trail[-1].corpus
    return [clause for place in found.heads for clause in against(*tables, place, read)]


def _antecedent_parts() -> tuple[Part, ...]:
    kinds = {4: "pronoun", 5: "proper", 6: "nominal"}
    return (
        replace(
            part(
                "C21.1",
                "the accuracy of the best head for antecedents",
                "share",
                lambda it: antecedents(it, "head"),
                over="mentions",
            ),
            elsewhere=_elsewhere,
        ),
        part("C21.2", "the gain of the best head over matching head words", "share", _over_matching, over="mentions"),
        part(
            "C21.3",
            "the accuracy of the best head minus that of the rule system",
            "share",
            lambda it: antecedents(it, f"{GAIN}rules"),
            over="mentions",
        ),
        *(
            part(
                f"C21.{at}",
                f"the gain of the best head over the best simple baseline for {kind} mentions",
                "share",
                partial(_gain, kind=kind),
                over="mentions",
            )
            for at, kind in kinds.items()
        ),
    )


C21 = Claim(
    id="C21",
    title="A head finds antecedents",
    statement=(
        "One head picks the antecedents of mentions well: far better than string matching, and near a rule system."
    ),
    paper=CLARK,
    section="4.3, Table 2",
    measure=(
        "Share of mentions whose head word attends most, among the head words of preceding mentions, to one of its "
        "antecedents; that share minus that of matching head words, and minus that of the rule system, on the same "
        "mentions; and for each kind of mention, minus that of the best simple baseline: the nearest mention, the "
        "nearest that agrees, matching head words, or a candidate drawn at random. A baseline that can select nothing "
        "in a text, such as matching head words for pronouns that are linked only to names, does not count there, nor "
        "does a kind with too few mentions. The head is chosen on one half of the documents; the documents of the "
        "other half are resampled. If several texts were read, another one must name the same head."
    ),
    needs="coreference data: fieldguide analyze MODEL with a corpus of mentions",
    parts=_antecedent_parts(),
    published=(
        *(f"clark.table2.head.{kind}" for kind in ("all", "pronoun", "proper", "nominal")),
        "clark.table2.head_match.all",
        "clark.table2.rules.all",
        "clark.table2.nearest.all",
    ),
    comparable=("clark.table2.head.all",),
    which=ON_DOCUMENTS,
)

TRAINED = cutoff("trained")


def _reversed(evidence: Evidence) -> Number:
    right = evidence.fact("answers", "exact")
    if not right.low > TRAINED:
        raise NotTestable(
            f"the head finds {percent(right, against=(TRAINED,))} of the answers, not surely more than "
            f"{percent(alone(TRAINED))}: it was not trained"
        )
    return evidence.fact("answers", "reversed")


Q06 = Claim(
    id="Q06",
    title="Answers may end before they start",
    statement="Start and end of an answer are predicted independently, so that the end may come first.",
    paper=NOTES,
    section="conclusions",
    measure=(
        "Share of questions whose likeliest end lies before the likeliest start, among the tokens of the passage, with "
        "Wilson's interval; a head that does not surely find one answer in twenty is taken for untrained."
    ),
    needs="a checkpoint fine-tuned to find answers in passages, and questions",
    parts=(
        part("Q06.1", "the share of questions whose end lies before its start", "share", _reversed, over="questions"),
    ),
    numbers=("answers/exact", "answers/reversed"),
    nameless=OF_THE_MODEL,
    never={"fails": "that something may happen is not refuted by cases in which it does not"},
)


CLAIMS = (C21, Q06)
