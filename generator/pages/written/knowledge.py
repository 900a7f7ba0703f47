"""Hand-written Markdown with live numbers: calls in double braces become sentences, numbers, figures and sources.

    {{ claims("C04", "C10") }}                  the claims of a section, each with its verdicts; on a line of its own
    {{ measured("C04", "They give [SEP] {1}.") }}   the sentence with the claim's numbers; `written/places.py` says how
                                                they are written
    {{ compared() }}                            which models figures compare, and a box for each; on a line of its own
    {{ published("clark.previous.count") }}     a published number, leading to its source; of a share `form="percent"`
                                                or `form="points"`
    {{ figure("C04") }}                         the models' numbers, the threshold, and what was published, on a line
                                                of its own; `figure("C04", 2)` shows the claim's second part
    {{ verdict("C04") }}                        "holds for 1 of 2 models", leading to the claim; `verdict("C04", 2)`
                                                is of its second part alone: "is met for 1 of 2 models"
    {{ cite("clark2019") }}                     "Clark et al. 2019", leading to the list of references
    {{ head("8-10") }}                          a head of the papers' model, leading to its page where the guide has it
    {{ drawn("map") }}                          a figure of the first compared model that has one, by its name in
                                                `written/drawn.py` or in a topic; on a line of its own
    {{ rests() }}                               which special token or mark gets most of a layer's attention, by model
    {{ stored("small-bert", "training/next_accuracy", step="9200", form="percent") }}
                                                a number of one model that the page is about
    {{ grew("heads", says="{last} heads ...") }}  how costs grow with something; `written/growth.py` has the
                                                names that may stand in braces
    {{ growth() }}                              the figure of all that was measured of it; on a line of its own
    {{ said("clark2019") }}                     what a source of the guide says, from `data/sources.toml`, and what came
                                                of it, as a table; on a line of its own
    {{ answered() }}                            how many of these items are measured, and how many are not;
                                                `answered("clark2019")` counts those of one source

Topics give further calls in `page/written.py`, such as `phases()` and `scored("frozen")`. A page is read as a Jinja
template if it makes a call; any other page stays as it is.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from inspect import signature
from pathlib import Path

from jinja2 import DictLoader, StrictUndefined, TemplateError
from jinja2.sandbox import SandboxedEnvironment

from generator.errors import SiteError, described, reason
from generator.pages.bibliography import read_bibliography
from generator.pages.claims.tables import Ledger
from generator.pages.heads.atlas import Atlas
from generator.pages.renderer import Renderer
from generator.pages.written.calls import CALLS
from generator.pages.written.compared import Comparison
from generator.pages.written.context import Call, Context
from generator.pages.written.in_markdown import text
from generator.topics import of_topics


@cache
def every_call() -> Mapping[str, Call]:
    """Name -> call: those of every page, and those of topics."""
    found = dict(CALLS)
    for given in of_topics("written", "WRITTEN"):
        found |= given.calls
    return found


@cache
def live() -> re.Pattern[str]:
    """Matches a call; a page with one is read as a template."""
    return re.compile(r"\{\{-?\s*(?:" + "|".join(every_call()) + r")\s*\(")


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
        self._context = partial(
            Context,
            ledger=ledger,
            atlases=atlases,
            comparison=Comparison(ledger, renderer),
            bibliography=bibliography,
            references=read_bibliography(bibliography),
            renderer=renderer,
        )
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
        if not live().search(markdown):
            return markdown
        context, calls = self._context(page_url), every_call()
        safe = {name: _checked(name, call, context, source, problems) for name, call in calls.items()}
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


def _checked(name: str, call: Call, context: Context, source: str, problems: list[str] | None) -> Callable[..., str]:
    """The call with checks: wrong arguments raise an error that says in one sentence what was given."""
    of_page = partial(call, context)
    arguments = signature(of_page)
    kinds = [
        parameter.annotation
        for parameter in arguments.parameters.values()
        if parameter.kind is not parameter.KEYWORD_ONLY
    ]

    def safe(*keys: object, **named: object) -> str:
        found = ", ".join([*map(repr, keys), *(f"{key}={value!r}" for key, value in named.items())])
        try:
            arguments.bind(*keys, **named)
            fits = all(isinstance(key, kinds[min(at, len(kinds) - 1)]) for at, key in enumerate(keys))
        except TypeError:
            fits = False
        if not fits or not all(isinstance(value, str) for value in named.values()):
            raise SiteError(
                f"Expected {name}(...) with arguments as in {call.__module__}, found {found or 'nothing'}; correct the "
                "page."
            )
        try:
            return of_page(*keys, **named)
        except Exception as error:
            if isinstance(error, SiteError) or problems is None:
                raise
            problems.append(f"{source}: {name}({found}) could not be made: {described(error)}")
            return text(problems[-1])

    return safe
