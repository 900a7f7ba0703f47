"""The section on probes: how much of the trees all heads together contain."""

from generator.pages.blocks import Note, Section
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cell
from generator.pages.links import to_term
from generator.pages.studies.tables import NOTHING, by_name, count, measured, stored, table
from generator.topics.probes.records import KNOWLEDGE, LEARNING, PROBE

CONTROL, SELECTIVITY = ".control", ".selectivity"


PROBES = ("attention+words", "attention", "distances+words", "random attention+words", "right-branching")
"""The probes in the order of the page."""


def probes(atlas: Atlas, corpus: str, anchor: str, page: str) -> Section | None:
    """How much of the trees all heads together contain, with the control task; None if nothing is stored."""
    facts = by_name(stored(atlas, "facts", corpus=corpus, study=PROBE), PROBE)
    shown = [name for name in PROBES if name in facts]
    if not shown:
        return None
    columns = (
        to_term("probe", "probe", page),
        to_term("uas", "UAS without punctuation", page),
        to_term("control-task", "control task", page),
        to_term("selectivity", "selectivity", page),
        to_term("n", "n, sentences", page),
    )
    rows = (
        (
            Cell(KNOWLEDGE[name]),
            measured(facts[name]),
            *(measured(facts.get(name + end)) if name in LEARNING else NOTHING for end in (CONTROL, SELECTIVITY)),
            count(facts[name]["n"]),
        )
        for name in shown
    )
    note = Note(
        "A probe learns on one half of the sentences which maps to trust, and is scored on the other. In the control "
        "task the head word of each word type is arbitrary, so that a probe can only remember it; selectivity is the "
        "score minus that of the control task."
    )
    found = table(f"Probes on {corpus}", columns, rows)
    return Section(f"{anchor}-probes", "All heads together", (found, note), level=3)
