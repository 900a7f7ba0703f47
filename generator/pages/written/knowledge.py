"""Hand-written Markdown with live numbers: calls in double braces become sentences, numbers, figures and sources.

    {{ claims("C04", "C10") }}                  the claims of a section, each with its verdicts; on a line of its own
    {{ measured("C04", "They give [SEP] {1}.") }}   the sentence with the claim's numbers; `written/places.py` says how
                                                they are written
    {{ compared() }}                            which models figures compare, and a box for each; on a line of its own
    {{ published("clark.previous.count") }}     a published number, leading to its source; of a share `form="percent"`
                                                or `form="points"`
    {{ condition("masks.15") }}                 how a study changes its inputs: "15 % of the words masked"
    {{ figure("C04") }}                         the models' numbers, the threshold, and what was published, on a line
                                                of its own; `figure("C04", 2)` shows the claim's second part
    {{ verdict("C04") }}                        "holds for 1 of 2 models", leading to the claim; `verdict("C04", 2)`
                                                is of its second part alone: "is met for 1 of 2 models"
    {{ cite("clark2019") }}                     "Clark et al. 2019", leading to the list of references
    {{ head("8-10") }}                          a head of the papers' model, leading to its page where the guide has it
    {{ began() }}                               when heads were half-way to where they look at the end of a training
    {{ drawn("forming") }}                      a figure that `written/drawn.py` names, of the first compared model
                                                that has one; on a line of its own
    {{ seeds() }}                               what several trainings that differ in their seed have in common
    {{ phases() }}                              a table of whether the layers of models fall into phases; `divided()`
                                                says it in one sentence
    {{ rests() }}                               which special token or mark gets most of a layer's attention, by model
    {{ classes() }}                             a typical map of each pattern, of the model that shows most of them;
                                                on a line of its own
    {{ scored("fine-tuned") }}                  what all models score on tasks, as a table; also "frozen"
    {{ paid() }}                                the same from the first and the last checkpoint of a training
    {{ partners("the", ".") }}                  where in a tree the partners of words stand, as a table of the text
                                                alone; on a line of its own
    {{ stored("small-bert", "training/next_accuracy", step="9200", form="percent") }}
                                                a number of one model that the page is about
    {{ found("medium-bert", "ud-english-ewt-test") }}   how many relations of a treebank a model finds: "4 of 29"
    {{ grew("heads", says="{last} heads ...") }}  how costs grow with something; `written/growth.py` has the
                                                names that may stand in braces
    {{ growth() }}                              the figure of all that was measured of it; on a line of its own
    {{ said("clark2019") }}                     what a source of the guide says, from `data/sources.toml`, and what came
                                                of it, as a table; on a line of its own
    {{ answered() }}                            how many of these items are measured, and how many are not;
                                                `answered("clark2019")` counts those of one source

A page is read as a Jinja template if it makes one of these calls; any other page stays as it is.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from inspect import signature
from pathlib import Path
from typing import TypeVar

from jinja2 import DictLoader, StrictUndefined, TemplateError
from jinja2.sandbox import SandboxedEnvironment
from markupsafe import Markup

from generator.claims.claim import Claim
from generator.claims.published import published
from generator.claims.sourced import FILE, Item, read_sources
from generator.errors import SiteError, reason, told
from generator.numbers import writing
from generator.numbers.number import alone
from generator.pages import addresses
from generator.pages.bibliography import key_of, read_bibliography
from generator.pages.claims.tables import Ledger, place
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.printed import MODEL, SHAPE, has_printed
from generator.pages.inline import Link, Prose
from generator.pages.links import to_claim, to_head, to_reference
from generator.pages.renderer import Renderer
from generator.pages.written.compared import Comparison
from generator.pages.written.drawn import model_figure
from generator.pages.written.growth import MEASURED, UNMEASURED, grew, growth_figure
from generator.pages.written.in_markdown import anchor, one_block, sentence, table, text
from generator.pages.written.partners import partners_told
from generator.pages.written.places import measured
from generator.pages.written.resting import RESTLESS, rests
from generator.pages.written.scored import paid, scored
from generator.pages.written.sources import answered, said
from generator.pages.written.stored import FORMS, check_form, condition, relations_found, stored_number
from generator.pages.written.verdicts import Chips, chip, verdicts
from generator.topics.layers.page.patterns.maps import one_of_each
from generator.topics.layers.page.phases.told import COLUMNS, UNDIVIDED, divided_told, phases_table
from generator.topics.learning.page.written import UNFORMED, half_formed
from generator.topics.seeds.page.page import SEEDLESS, seeds_told

CALLS = (
    "claims|measured|compared|published|condition|figure|verdict|cite|head|began|drawn|seeds|phases|divided|rests"
    "|stored|found|grew|growth|said|answered|partners|classes|scored|paid"
)
LIVE = re.compile(r"\{\{-?\s*(?:" + CALLS + r")\s*\(")
"""A page with one of these is read as a template."""
UNCLASSED = "No model of this guide has maps of the example sentences."
Known = TypeVar("Known")
Each = Callable[[Sequence[Atlas], str], Iterable[tuple[Prose, Link]]]
Told = Callable[[Sequence[Atlas], str], Prose]


class Knowledge:
    """What hand-written pages may say of claims, published numbers and sources."""

    def __init__(
        self,
        ledger: Ledger,
        bibliography: Path,
        renderer: Renderer,
        atlases: Sequence[Atlas] = (),
    ) -> None:
        """`atlases` are those of the models in the ledger."""
        self._ledger = ledger
        self._comparison = Comparison(ledger, renderer)
        self._atlases = atlases
        self._compared = [one for one in atlases if one.slug in self._comparison.slugs]
        self._bibliography = bibliography
        self._renderer = renderer
        self._measured = bibliography.with_name(MEASURED)
        self._sources = read_bibliography(bibliography)
        self._pages: dict[str, str] = {}
        """The pages as templates, by the names of their files."""
        self._environment = SandboxedEnvironment(
            loader=DictLoader(self._pages),
            undefined=StrictUndefined,
            keep_trailing_newline=True,
            autoescape=False,
        )

    def render(self, markdown: str, page_url: str, source: str, problems: list[str] | None = None) -> str:
        """A page with its calls replaced; `page_url` ends in "/", as addresses do, and `source` names the file.

        If our own code fails, the page says so in place of the call, and so does an entry of `problems`, if given.
        Raises SiteError for an unknown call, key or id, and for a template that cannot be read.
        """
        if not LIVE.search(markdown):
            return markdown
        calls: dict[str, Callable[..., str]] = {
            "claims": self._claims,
            "measured": self._measured_by,
            "compared": self._comparison.chooser,
            "published": self._published,
            "condition": condition,
            "figure": self._figure,
            "verdict": self._verdict,
            "cite": self._cite,
            "head": partial(_head_of_papers, self._atlases),
            "began": partial(self._sentence, half_formed, self._atlases, UNFORMED),
            "drawn": self._drawn,
            "seeds": partial(self._of_models, seeds_told, self._atlases, SEEDLESS),
            "phases": self._phases,
            "divided": partial(self._sentence, divided_told, self._compared, UNDIVIDED),
            "rests": partial(self._sentence, rests, self._compared, RESTLESS),
            "stored": partial(stored_number, self._ledger.sources),
            "found": partial(relations_found, self._ledger.sources),
            "grew": self._grew,
            "growth": self._growth,
            "said": self._said,
            "answered": self._answered,
            "partners": self._partners,
            "classes": self._classes,
            "scored": self._scored,
            "paid": self._paid,
        }
        safe = {name: _checked(name, partial(call, page_url), source, problems) for name, call in calls.items()}
        try:
            self._pages[source] = markdown
            return self._environment.get_template(source).render(safe)
        except SiteError as error:
            raise SiteError(f"{source}: {error}") from None
        except TemplateError as error:
            raise SiteError(
                f"{source}: Expected no braces but those of calls to {', '.join(calls)}, found: {reason(error)}; "
                "correct the page."
            ) from None

    def _claims(self, page: str, key: str, /, *more: str) -> str:
        chips = Chips(tuple(chip(self._ledger, self._known(one), page) for one in (key, *more)))
        return one_block(self._renderer.render("blocks/chips.html", chips))

    def _measured_by(self, page: str, key: str, told: str, /) -> str:
        return measured(self._ledger, self._known(key), told, page)

    def _published(self, page: str, key: str, /, *, form: str = "") -> str:
        check_form(form, key)
        number = published(key)
        value = _percent(number.value, FORMS[form]) if form else writing.number(number.value)
        note = f"; {number.note}" if number.note else ""
        link = to_reference(key_of(number.source, self._sources), value, page)
        return anchor(replace(link, title=f"{number.source}, {place(number)}{note}"))

    def _figure(self, page: str, key: str, part: int = 1, /) -> str:  # noqa: ARG002 - as the other calls
        claim = self._known(key)
        _check_part(claim, part)
        figure = self._comparison.figure(claim, part - 1, f"figure-{key.lower()}-{part}")
        if isinstance(figure, str):
            return one_block(str(Markup("<p>%s</p>") % figure))
        return one_block(self._renderer.render("blocks/figure.html", figure))

    def _verdict(self, page: str, key: str, part: int = 0, /) -> str:
        claim = self._known(key)
        if part:
            _check_part(claim, part)
        told = claim.parts[part - 1].name if part else claim.title
        return anchor(replace(to_claim(claim.id, verdicts(self._ledger, claim, part), page), title=told))

    def _cite(self, page: str, key: str, /) -> str:
        label = _find(key, self._sources, f"the key of a source in {self._bibliography}")
        return anchor(to_reference(key, label, page))

    def _drawn(self, page: str, name: str, /) -> str:
        figure = model_figure(name, self._compared, page)
        return one_block(self._renderer.render("blocks/figure.html", figure)) if figure else ""

    def _of_models(self, told: Each, atlases: Sequence[Atlas], otherwise: str, page: str, /) -> str:
        """A sentence for each model that has something to tell, with a link."""
        found = " ".join(f"{sentence(said)} ({anchor(link)})" for said, link in told(atlases, page))
        return found or otherwise

    def _phases(self, page: str, /) -> str:
        rows = phases_table(self._compared, page)
        return table(COLUMNS, rows) if rows else UNDIVIDED

    def _sentence(self, told: Told, atlases: Sequence[Atlas], otherwise: str, page: str, /) -> str:
        return sentence(told(atlases, page)) or otherwise

    def _grew(self, page: str, name: str, /, *, says: str) -> str:  # noqa: ARG002 - as the other calls
        return text(grew(self._measured, name, says))

    def _growth(self, page: str, /) -> str:  # noqa: ARG002 - as the other calls
        made = growth_figure(self._measured)
        return one_block(self._renderer.render("blocks/figure.html", made) if made else f"<p>{UNMEASURED}</p>")

    def _said(self, page: str, key: str, /) -> str:
        return said(self._ledger, self._bibliography.parent, self._items(key), page)

    def _answered(self, page: str, key: str = "", /) -> str:  # noqa: ARG002 - as the other calls
        every = read_sources(FILE)
        return text(
            answered(self._ledger, self._items(key) if key else [one for some in every.values() for one in some])
        )

    def _classes(self, page: str, /) -> str:
        found = [(atlas, maps) for atlas in self._compared if (maps := one_of_each(atlas, page))]
        if not found:
            return UNCLASSED
        atlas, maps = max(found, key=lambda one: len(one[1].maps))
        model = Link(atlas.results.manifest.model, addresses.relative(addresses.patterns(atlas.slug), page))
        told = sentence(("Of ", model, ", the most typical map of each class that the example sentences show:"))
        return f"{told}{one_block(self._renderer.render('blocks/small_maps.html', maps))}"

    def _scored(self, page: str, how: str, /) -> str:
        return scored(self._atlases, how, page)

    def _paid(self, page: str, /) -> str:
        return paid(self._atlases, page)

    def _partners(self, page: str, /, *forms: str) -> str:  # noqa: ARG002 - as the other calls
        return partners_told(forms)

    def _items(self, key: str) -> Sequence[Item]:
        _find(key, self._sources, f"the key of a source in {self._bibliography}")
        return _find(key, read_sources(FILE), f"the key of a source in {FILE}")

    def _known(self, key: str) -> Claim:
        return _find(key, self._ledger.claims, "the id of a claim")


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


def _checked(name: str, call: Callable[..., str], source: str, problems: list[str] | None) -> Callable[..., str]:
    """The call with checks: wrong arguments raise an error that says in one sentence what was given."""
    arguments = signature(call)
    kinds = [one.annotation for one in arguments.parameters.values() if one.kind is not one.KEYWORD_ONLY]

    def safe(*keys: object, **named: object) -> str:
        found = ", ".join([*map(repr, keys), *(f"{one}={value!r}" for one, value in named.items())])
        try:
            arguments.bind(*keys, **named)
            fits = all(isinstance(one, kinds[min(at, len(kinds) - 1)]) for at, one in enumerate(keys))
        except TypeError:
            fits = False
        if not fits or not all(isinstance(one, str) for one in named.values()):
            where = "generator/pages/written/knowledge.py"
            raise SiteError(
                f"Expected {name}(...) with arguments as in {where}, found {found or 'nothing'}; correct the page."
            )
        try:
            return call(*keys, **named)
        except Exception as error:
            if isinstance(error, SiteError) or problems is None:
                raise
            problems.append(f"{source}: {name}({found}) could not be made: {told(error)}")
            return text(problems[-1])

    return safe


def _head_of_papers(atlases: Sequence[Atlas], page: str, name: str, /) -> str:
    """The name of a head of the papers' model, such as "8-10", leading to its page where the site shows that model.

    Raises SiteError for a name that is none of its heads.
    """
    layer, _, head = name.partition("-")
    if not all(one.isdecimal() and 1 <= int(one) <= most for one, most in zip((layer, head), SHAPE, strict=True)):
        raise SiteError(f"Expected a head of {MODEL} such as '8-10', found {name!r}; correct the page.")
    atlas = next(filter(has_printed, atlases), None)
    if atlas is None:
        return name
    link = to_head(atlas.slug, int(layer), int(head), page)
    return anchor(replace(link, title=f"head {link.text} of {atlas.results.manifest.model}"))
