"""Notes beside sentences about a claim: for which models it cannot be tested, and whose verdict changes once all claims
are counted.
"""

from collections.abc import Sequence

from generator.claims.claim import Claim
from generator.claims.said import briefly
from generator.numbers import writing
from generator.pages.claims.tables import Ledger
from generator.pages.links import to_claim
from generator.pages.written.in_markdown import anchor, text

Around = tuple[str, str]
"""What stands before the name of a model and after it, as Markdown."""


def untested(ledger: Ledger, claims: Sequence[Claim], page: str) -> dict[str, Around]:
    """Slug of a model -> which of the claims cannot be tested for it, and why; other models are left out.

    If there is only one claim, it is not named.
    """
    found = {}
    for model in ledger.manifests:
        items = [item for claim in claims for one, item in ledger.by_model(claim) if one is model]
        missing = [item for item in items if item.verdict == "not testable"]
        if missing:
            which = writing.listed([anchor(to_claim(item.claim.id, item.claim.id, page)) for item in missing])
            why = dict.fromkeys(text(briefly(item.reason, model.model)) for item in missing)
            found[model.slug] = f"{which} for " if len(claims) > 1 else "for ", f" ({'; '.join(why)})"
    return found


def uncounted(ledger: Ledger, claim: Claim) -> dict[str, Around]:
    """Slug of a model -> the verdict it has once all claims are counted; where it stays it is left out."""
    return {
        model.slug: (f"{ledger.adjusted[key]} for ", "")
        for model in ledger.manifests
        if (key := (claim.id, model.model)) in ledger.adjusted
    }
