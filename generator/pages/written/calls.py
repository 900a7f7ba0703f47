"""The calls that every hand-written page may make: claims, published numbers, sources, costs, and figures of models."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import TypeVar

from markupsafe import Markup

from generator.claims.claim import Claim
from generator.claims.published import published
from generator.claims.sourced import FILE, Item, read_sources
from generator.errors import SiteError
from generator.numbers import writing
from generator.numbers.number import alone
from generator.pages.bibliography import key_of
from generator.pages.claims.tables import place
from generator.pages.heads.papers_model import MODEL, SHAPE, has_printed
from generator.pages.links import to_claim, to_head, to_reference
from generator.pages.written import sources
from generator.pages.written.context import Call, Context
from generator.pages.written.drawn import model_figure
from generator.pages.written.growth import MEASURED, UNMEASURED, growth_figure
from generator.pages.written.growth import grew as of_growth
from generator.pages.written.in_markdown import anchor, one_block, sentence, table, text
from generator.pages.written.places import measured as in_places
from generator.pages.written.resting import RESTLESS, where_models_rest
from generator.pages.written.stored import FORMS, check_form, stored_number
from generator.pages.written.verdicts import Chips, chip, verdicts
from generator.pages.written.verdicts import outcomes as of_claims

Known = TypeVar("Known")


def claims(context: Context, key: str, /, *more: str) -> str:
    """Claims as chips, each with its verdicts."""
    chips = Chips(tuple(chip(context.ledger, _claim(context, claim_key), context.page) for claim_key in (key, *more)))
    return context.block("chips", chips)


def measured(context: Context, key: str, clause: str, /) -> str:
    """A sentence with the numbers of a claim; `places` says how they are written."""
    return in_places(context.ledger, _claim(context, key), clause, context.page)


def compared(context: Context, /) -> str:
    """Which models figures compare, and a box for each."""
    return context.comparison.chooser(context.page)


def of_source(context: Context, key: str, /, *, form: str = "") -> str:
    """A published number, leading to its source."""
    check_form(form, key)
    printed = published(key)
    value = _percent(printed.value, FORMS[form]) if form else writing.number(printed.value)
    note = f"; {printed.note}" if printed.note else ""
    link = to_reference(key_of(printed.source, context.references), value, context.page)
    return anchor(replace(link, title=f"{printed.source}, {place(printed)}{note}"))


def figure(context: Context, key: str, part: int = 1, /) -> str:
    """The models' numbers of one part of a claim, the threshold, and what was published."""
    claim = _claim(context, key)
    _check_part(claim, part)
    made = context.comparison.figure(claim, part - 1, f"figure-{key.lower()}-{part}")
    return one_block(str(Markup("<p>%s</p>") % made)) if isinstance(made, str) else context.block("figure", made)


def verdict(context: Context, key: str, part: int = 0, /) -> str:
    """How many models a claim holds for, or one part of it, leading to the claim."""
    claim = _claim(context, key)
    if part:
        _check_part(claim, part)
    string = claim.parts[part - 1].name if part else claim.title
    link = to_claim(claim.id, verdicts(context.ledger, claim, part), context.page)
    return anchor(replace(link, title=string))


def outcomes(context: Context, key: str, /, *more: str) -> str:
    """What came of some claims, as a table: the models for which each holds, fails and so on, and how many in all."""
    asked = [_claim(context, claim_key) for claim_key in (key, *more)]
    rows, together = of_claims(context.ledger, asked, context.page)
    return f"{table(('claim', 'here'), rows)}\n\n{text(together)}"


def cite(context: Context, key: str, /) -> str:
    """Author and year, leading to the list of references."""
    label = _find(key, context.references, f"the key of a source in {context.bibliography}")
    return anchor(to_reference(key, label, context.page))


def head(context: Context, name: str, /) -> str:
    """The name of a head of the papers' model, such as "8-10", leading to its page where the site shows that model."""
    layer, _, number = name.partition("-")
    if not all(part.isdecimal() and 1 <= int(part) <= most for part, most in zip((layer, number), SHAPE, strict=True)):
        raise SiteError(f"Expected a head of {MODEL} such as '8-10', found {name!r}; correct the page.")
    atlas = next(filter(has_printed, context.atlases), None)
    if atlas is None:
        return name
    link = to_head(atlas.slug, int(layer), int(number), context.page)
    return anchor(replace(link, title=f"head {link.text} of {atlas.results.manifest.model}"))


def drawn(context: Context, name: str, /) -> str:
    """A figure of the first compared model that has one."""
    made = model_figure(name, context.compared, context.page)
    return context.block("figure", made) if made else ""


def rests(context: Context, /) -> str:
    """Which special token or mark gets most of a layer's attention, by model."""
    return sentence(where_models_rest(context.compared, context.page)) or RESTLESS


def stored(context: Context, model: str, key: str, /, *, step: str = "", form: str = "") -> str:
    """A number of one model that the page is about."""
    return stored_number(context.ledger.sources, model, key, step, form)


def grew(context: Context, name: str, /, *, says: str) -> str:
    """How costs grow with something, as a sentence."""
    return text(of_growth(context.bibliography.with_name(MEASURED), name, says))


def growth(context: Context, /) -> str:
    """The figure of all that was measured of it."""
    made = growth_figure(context.bibliography.with_name(MEASURED))
    return context.block("figure", made) if made else one_block(f"<p>{UNMEASURED}</p>")


def said(context: Context, key: str, /) -> str:
    """What a source of the guide says, and what came of it, as a table."""
    return sources.said(context.ledger, context.bibliography.parent, _items(context, key), context.page)


def answered(context: Context, key: str = "", /) -> str:
    """How many of these items are measured, and how many are not; with a key, of one source alone."""
    items = _items(context, key) if key else [item for some in read_sources(FILE).values() for item in some]
    return text(sources.answered(context.ledger, items))


CALLS: Mapping[str, Call] = {
    "claims": claims,
    "outcomes": outcomes,
    "measured": measured,
    "compared": compared,
    "published": of_source,
    "figure": figure,
    "verdict": verdict,
    "cite": cite,
    "head": head,
    "drawn": drawn,
    "rests": rests,
    "stored": stored,
    "grew": grew,
    "growth": growth,
    "said": said,
    "answered": answered,
}


def _claim(context: Context, key: str) -> Claim:
    return _find(key, context.ledger.claims, "the id of a claim")


def _items(context: Context, key: str) -> Sequence[Item]:
    _find(key, context.references, f"the key of a source in {context.bibliography}")
    return _find(key, read_sources(FILE), f"the key of a source in {FILE}")


def _percent(share: float, unit: str) -> str:
    """A published share with the digits that it was given."""
    return writing.percent(alone(share), unit, digits=writing.ALONE)


def _check_part(claim: Claim, part: int) -> None:
    if not 1 <= part <= len(claim.parts):
        raise SiteError(f"Expected a part of {claim.id} from 1 to {len(claim.parts)}, found {part}; correct the page.")


def _find(key: str, known: Mapping[str, Known], what: str) -> Known:
    """The value of a key; raises SiteError, with similar keys, if there is none."""
    if key not in known:
        near = get_close_matches(key, known, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "correct it or add it."
        raise SiteError(f"Expected {what}, found {key!r}; {hint}")
    return known[key]
