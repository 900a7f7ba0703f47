"""Sentences about the verdicts on a claim: one is written by hand for each verdict, and the numbers are filled in.

Models with the same verdict share its sentence. `{models}` are their names, or "all 4 models here" if these are three
or more and the page compares no others; those of which the last sentence speaks are "the other 3 models here". `{any}`,
for places behind a negation, is the same but for "any of the 4 models here". `{1}` is the number of the claim's first
part and `{2}` that of its second: for one model with its interval if it has one, for several from the lowest to the
highest. A share is written in percent. `{2:points}` writes a difference of shares or scores in points, `{2:less}` says
by how many percent a ratio lies below 1, `{2:share}` writes a ratio in percent, `{2:times}` its inverse, and `{2:more}`
has the sign of a difference as a word, "more" or "less"; `{2:ahead}` does so for a difference in points. `{2:n}` is on
how many it was counted.
`{published:KEY}` is a published share in percent.

`{heads}`, right behind a word, is the one or two heads that a verdict rests on, such as " (3-1 in A and 2-5 in B)";
models whose verdict rests on more heads, or on none, are left out of it.

What a sentence leaves unsure stands at its end; `generator.pages.written.doubts` writes it. Models of different
verdicts with the same sentence share it, and then it leaves nothing open.

`inconclusive_disputed` is the sentence for models of which another text contradicts the number that decides;
`{against}` is what it says. Without it they get `inconclusive`.

`fails_2` is the sentence for models of which the second part is the first that fails; without it they get `fails`. The
same holds for `inconclusive_2`. A model that lacks a number of its sentence, because that part of the claim cannot be
tested, gets a sentence without numbers. `nowhere` replaces `untestable` if another line of the page names the models
for which the claim is not testable: it is used only if that is every model's verdict.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from generator.claims.claim import Claim, Judgement
from generator.claims.published import Published, published
from generator.errors import SiteError
from generator.numbers import writing
from generator.numbers.number import Number, alone
from generator.pages.claims.tables import SHOWN, UNJUDGED, Ledger, heads_of
from generator.pages.links import to_head, to_model
from generator.pages.written.doubts import SURE, Doubt, deciding, doubt, doubted
from generator.pages.written.in_markdown import anchor, one_sentence, text
from generator.pages.written.places import TURNS, Judged, Place, place_of
from generator.pages.written.verdicts import SAID
from generator.results.manifest import Manifest

OPEN, NOWHERE, BARE = "untestable", "nowhere", "bare"
"""What a page calls the verdict "not testable", which cannot name an argument, that verdict of every model, and a
sentence without numbers.
"""
MODELS, ANY = "models", "any"
"""The places for names of models; "all" would be ambiguous behind a negation, where `ANY` stands."""
BRIEFLY = {"fails": f"Not so in {{{ANY}}}.", "inconclusive": f"For {{{MODELS}}} it remains open."}
"""What an answer says of models with another verdict than those of which it speaks first."""
AGAINST, DISPUTED = "against", "disputed"
"""The place for what another text says, and the end of the name of the sentence that has it."""
HEADS, FEW = "heads", 2
"""The place for the heads that a verdict rests on, and up to how many of one model are named."""
UNSURE, BRIEF, DECIDES = "unsure", "brief", "decides"
"""Where a page's file has what is unsure about a model in a sentence and in the one of BRIEFLY, and which number
decides where the claim fails.
"""
MANY = 3
"""As many models, or more, are not named if they are all of those compared, or all others."""
_PLACE = re.compile(r"\{([^{}]*)\}")
_PUBLISHED = re.compile(r"\{published:([^{}]*)\}")


def with_published(sentence: str) -> str:
    """The sentence with its published numbers, which are shares, in percent. Raises SiteError for an unknown key."""
    return _PUBLISHED.sub(lambda found: as_published(published(found[1])), sentence)


def as_published(number: Published, unit: str = "%") -> str:
    """A published share in percent, with the digits that it was given."""
    return writing.percent(alone(number.value), unit, digits=writing.ALONE)


def tell(ledger: Ledger, claim: Claim, sentences: Mapping[str, str], page: str, *, joined: bool = False) -> str:
    """Markdown with one sentence for each verdict that some model has, or with one that joins these and is brief after
    the first.

    Raises SiteError if a sentence or a number is missing, and for an unknown verdict or an unknown place for a number.
    """
    found = _by_sentence(ledger, claim, sentences)
    shared = _shared(sentences)
    if joined and found:
        found = _briefly(found, claim, shared)
    told: list[str] = []
    left = len(ledger.manifests)
    for name, (sentence, alike) in found.items():
        where = f"{name}=... of {_call(claim)}"
        unnamed = _unnamed(len(alike), first=not told) if MANY <= len(alike) == left else {}

        def fill(
            found: re.Match[str], alike: Judged = alike, where: str = where, unnamed: Mapping[str, str] = unnamed
        ) -> str:
            if found[1] in (MODELS, ANY):
                return unnamed.get(found[1]) or writing.listed(
                    [anchor(to_model(model.slug, model.model, page)) for model, _ in alike]
                )
            if found[1] == HEADS:
                return _bracketed(alike, page)
            if found[1] == AGAINST:
                return text("; ".join(_against(item) for _, item in alike))
            place = _place(found, claim, where)
            return text(place.range(_numbers(place, alike, where)))

        left_open = _left_open(name, sentence, shared)
        doubts = {
            anchor(to_model(model.slug, model.model, page)): _doubt(item, sentence, claim, left_open=left_open)
            for model, item in alike
        }
        filled = _PLACE.sub(fill, sentence)
        if end := doubted(doubts, sentence, left_open=left_open):
            filled = f"{filled.removesuffix('.')}{end}."
        told += [filled] if name != NOWHERE or len(found) == 1 else []
        left -= len(alike)
    return one_sentence(told or [UNJUDGED]) if joined else " ".join(told or [UNJUDGED])


def _briefly(
    found: Mapping[str, tuple[str, Judged]], claim: Claim, shared: Collection[str]
) -> dict[str, tuple[str, Judged]]:
    """The sentences with BRIEFLY for another verdict than that of the first, unless a sentence is that of several.

    Only what the first sentence says is not so can be denied in brief: of a claim that fails, the number that decides.
    """
    first = next(name for name in found if name != NOWHERE or len(found) == 1)
    verdict, _, bare = first.partition("_")
    said = {verdict, NOWHERE} if bare != BARE else {*SHOWN, NOWHERE}
    told = {place.order for place in _places(found[first][0], claim, first).values()}

    def brief(name: str, sentence: str, alike: Judged) -> str:
        own = name.partition("_")[0]
        other = own == "fails" and told and not told.issuperset(deciding(item) for _, item in alike)
        return sentence if own in said or sentence in shared or other else BRIEFLY.get(own, sentence)

    return {name: (brief(name, sentence, alike), alike) for name, (sentence, alike) in found.items()}


def _shared(sentences: Mapping[str, str]) -> set[str]:
    """What is said of more than one verdict."""
    verdicts: dict[str, set[str]] = {}
    for name, sentence in sentences.items():
        verdicts.setdefault(sentence, set()).add(name.partition("_")[0])
    return {sentence for sentence, some in verdicts.items() if len(some) > 1}


def _doubt(item: Judgement, sentence: str, claim: Claim, *, left_open: bool) -> Doubt:
    """What is unsure about one model in its sentence."""
    return doubt(item, list(_places(sentence, claim, "").values()), left_open=left_open)


def _left_open(name: str, sentence: str, shared: Collection[str]) -> bool:
    """Whether a sentence is of what is inconclusive, and of that alone, and does not tell what other texts say."""
    return name.startswith("inconclusive") and f"{{{AGAINST}}}" not in sentence and sentence not in shared


def _against(item: Judgement) -> str:
    """What other texts say against the number that decides, in clauses."""
    return writing.listed(item.decides.opposed) if item.decides else ""


def _few_heads(model: Manifest, item: Judgement, page: str) -> str:
    """The one or two heads that a verdict rests on, as Markdown; empty if there are more, or none."""
    heads = heads_of(item)
    return writing.listed([anchor(to_head(model.slug, *place, page)) for place in heads]) if len(heads) <= FEW else ""


def _bracketed(alike: Judged, page: str) -> str:
    """The few heads of models with the same verdict, in brackets; of several models with the names of these."""
    found = [
        (told, anchor(to_model(one.slug, one.model, page)))
        for one, item in alike
        if (told := _few_heads(one, item, page))
    ]
    named = [told if len(alike) == 1 else f"{told} in {model}" for told, model in found]
    return f" ({writing.listed(named)})" if named else ""


def _unnamed(models: int, *, first: bool) -> Mapping[str, str]:
    """What fills the places for names where all models are meant, or all of which no sentence before has spoken."""
    start = {MODELS: "all", ANY: "any of the"} if first else dict.fromkeys((MODELS, ANY), "the other")
    return {place: f"{words} {models} models here" for place, words in start.items()}


def fillings(ledger: Ledger, claim: Claim, sentences: Mapping[str, str], page: str) -> dict[str, Any]:
    """For each sentence that is used, by its name: the sentence, and for each of its models what fills the places.

    A place is filled by how the number is written alone, its value, and how it is written in a range, all in plain
    text; that of the heads by Markdown that names them. Under UNSURE is what is unsure, and under BRIEF what is unsure
    in the brief sentence; under DECIDES, of a claim that fails, which number decides, counted from 1.
    Raises SiteError as `tell` does.
    """
    found: dict[str, Any] = {}
    shared = _shared(sentences)
    for name, (sentence, alike) in _by_sentence(ledger, claim, sentences).items():
        made: Mapping[str, Callable[[Manifest, Judgement], str]] = {
            HEADS: lambda model, item: _few_heads(model, item, page),
            AGAINST: lambda _, item: _against(item),
        }
        models: dict[str, dict[str, Any]] = {
            model.slug: {place: fill(model, item) for place, fill in made.items() if f"{{{place}}}" in sentence}
            for model, item in alike
        }
        for key, place in _places(sentence, claim, name).items():
            for model, judgement in alike:
                for one in place.known([(model, judgement)]):
                    models[model.slug][key] = place.filling(one)
        left_open, own = _left_open(name, sentence, shared), name.partition("_")[0]
        for model, item in alike:
            unsure = {
                UNSURE: _doubt(item, sentence, claim, left_open=left_open),
                BRIEF: _doubt(item, BRIEFLY.get(own, ""), claim, left_open=own == "inconclusive"),
            }
            models[model.slug] |= {key: one for key, one in unsure.items() if one != SURE}
            models[model.slug] |= {DECIDES: deciding(item) + 1} if own == "fails" else {}
        found[name] = {"sentence": sentence, "models": models, "open": left_open, "shared": sentence in shared}
    return found


def together(ledger: Ledger, claims: Sequence[Claim], sentences: tuple[str, str], page: str) -> str:
    """The first sentence, of the models for which all of the claims hold, or the second if there are none."""
    holds, fails = sentences
    holding = [
        anchor(to_model(model.slug, model.model, page))
        for model in ledger.manifests
        if all(item.verdict == "holds" for claim in claims for one, item in ledger.by_model(claim) if one is model)
    ]
    return holds.replace(f"{{{MODELS}}}", writing.listed(holding)) if holding else fails


def _call(claim: Claim) -> str:
    return f'tell("{claim.id}")'


def _by_sentence(ledger: Ledger, claim: Claim, sentences: Mapping[str, str]) -> dict[str, tuple[str, Judged]]:
    """Name -> a sentence and the models that it is about, in the order in which pages list verdicts; after those of the
    call, that for each verdict of models that lack a number.
    """
    verdicts = [OPEN if verdict == "not testable" else verdict for verdict in SHOWN]
    parts = range(1, len(claim.parts) + 1)
    names = [name for one in verdicts for name in (one, *(f"{one}_{part}" for part in parts if one in SHOWN[1:3]))]
    names.insert(names.index("inconclusive") + 1, f"inconclusive_{DISPUTED}")
    unknown = [name for name in sentences if name not in (*names, NOWHERE)]
    if unknown:
        raise SiteError(
            f"Expected {', '.join(verdicts)}, {NOWHERE}, or a part such as fails_2 in {_call(claim)}, found "
            f"{unknown[0]!r}; correct its name."
        )
    bare = {f"{one}_{BARE}": f'The claim "{claim.title}" {SAID.get(one, one)} for {{{MODELS}}}.' for one in SHOWN[:3]}
    found: dict[str, list[tuple[Manifest, Judgement]]] = {name: [] for name in (*names, NOWHERE, *bare)}
    for model, item in ledger.by_model(claim):
        name = _name(item, sentences)
        places = _places(sentences.get(name, ""), claim, name).values() if item.verdict != "not testable" else ()
        filled = all(place.known([(model, item)]) for place in places)
        first = next((one for one in names if one != OPEN and sentences.get(one) == sentences.get(name)), name)
        found[first if filled else f"{item.verdict}_{BARE}"].append((model, item))
    written = {**bare, **sentences}
    for name, alike in found.items():
        if alike and not written.get(name):
            models = writing.listed([model.model for model, _ in alike])
            raise SiteError(
                f"Expected a sentence {name}=... in {_call(claim)}, found none, but that is the verdict of "
                f"{models}; write it."
            )
    return {name: (written[name], alike) for name, alike in found.items() if alike}


def _name(item: Judgement, sentences: Mapping[str, str]) -> str:
    """The name of the sentence for a model's judgement."""
    if item.verdict == "not testable":
        return NOWHERE if NOWHERE in sentences else OPEN
    which = 1 + next((at for at, one in enumerate(item.findings) if one is item.decides), 0)
    disputed = f"{item.verdict}_{DISPUTED}"
    if disputed in sentences and _against(item):
        return disputed
    return part if (part := f"{item.verdict}_{which}") in sentences else item.verdict


def _places(sentence: str, claim: Claim, name: str) -> dict[str, Place]:
    """What stands between the braces of each place for a number -> the place."""
    where = f"{name}=... of {_call(claim)}"
    found = (match for match in _PLACE.finditer(sentence) if match[1] not in (MODELS, ANY, HEADS, AGAINST))
    return {match[1]: _place(match, claim, where) for match in found}


def _place(found: re.Match[str], claim: Claim, where: str) -> Place:
    """The place that a match stands for. Raises SiteError for one that no number can fill."""
    name, _, turn = found[1].partition(":")
    parts = claim.parts
    if name not in map(str, range(1, len(parts) + 1)) or turn not in TURNS:
        known = ", ".join(f"{{{at}}}" for at in range(1, len(parts) + 1))
        raise SiteError(f"Expected {{models}} or one of {known} in {where}, found {found[0]}; correct the page.")
    return place_of(parts[int(name) - 1], int(name) - 1, turn)


def _numbers(place: Place, alike: Judged, where: str) -> list[Number]:
    """The numbers that fill a place; raises SiteError if there are none."""
    numbers = place.known(alike)
    if not numbers:
        models = writing.listed([model.model for model, _ in alike])
        raise SiteError(
            f"Expected a number for {{{place.order + 1}}} in {where}, found none for {models}; analyse it again, or "
            "write the sentence without this number."
        )
    return numbers
