"""Where the partners of words stand in the trees of the treebank that comes with the program, as a table."""

from collections.abc import Sequence
from functools import cache

from generator.corpora.catalogue import TREEBANK
from generator.corpora.treebank import Sentence, read_treebank
from generator.errors import SiteError
from generator.numbers.number import alone
from generator.numbers.writing import number, percent
from generator.pages.written.context import Context, Written
from generator.pages.written.in_markdown import text
from generator.topics.tokens.derived.partners import Partners, partners

HEAD = "| word | occurrences | entropy of the offset, nats | commonest place of its partner |\n|---|---|---|---|\n"


def partner_table(context: Context, /, *forms: str) -> str:  # noqa: ARG001 - as all calls
    """Where in a tree the partners of these words stand, the most constant first, as a table of the text alone."""
    found = partners(_sentences(), forms)
    if missing := set(forms) - {of_form.form for of_form in found}:
        raise SiteError(
            f"Expected word forms of the treebank {TREEBANK.name} in lower case, found {min(missing)!r}; correct the "
            "page."
        )
    return HEAD + "\n".join(_row(of_form) for of_form in sorted(found, key=lambda of_form: of_form.entropy))


def _row(of_form: Partners) -> str:
    side = "after" if of_form.offset > 0 else "before"
    words = f"{abs(of_form.offset)} word{'' if abs(of_form.offset) == 1 else 's'} {side} it"
    place = f"{words}, {percent(alone(of_form.share))}"
    return f"| {text(of_form.form)} | {of_form.occurrences:,} | {number(of_form.entropy)} | {place} |"


@cache
def _sentences() -> Sequence[Sentence]:
    return read_treebank(TREEBANK.name, TREEBANK.paths).items


WRITTEN = Written({"partners": partner_table})
