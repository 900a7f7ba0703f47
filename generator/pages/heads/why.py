"""Why a head has its name, as text: every name that it might have, what the gate says to each, and the rows it read."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from generator.claims.gate.maps import BROAD, LEAN, PAIR, PATTERN, TARGET
from generator.claims.gate.statement import Row, Statement
from generator.claims.report import stored_models
from generator.errors import ResultsError
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.naming.naming import namings
from generator.pages.heads.naming.windows import words_of
from generator.pages.heads.summary import OF_TARGET
from generator.pages.links import head_name
from generator.results.store import find
from generator.visible import visible

FILE = "why.txt"
"""Its name, beside the page of the head."""
READ = (
    "The names that it might have, in the order of the rules; the first that is given becomes its name. Where none is, "
    "it is told what the head leans to."
)


def candidates_text(atlas: Atlas, layer: int, head: int) -> str:
    """The name of a head, 1-based, and the candidates for it."""
    summary = atlas.summaries[layer, head]
    opens = f"{atlas.results.manifest.model}, head {head_name(layer, head)}: {summary.title}"
    said = (line for statement in atlas.candidates[layer, head] for line in _lines(statement))
    return visible("\n".join([opens, READ, *said])) + "\n"


def why_named(places: Iterable[Path], model: str, head: str) -> str:
    """The same for a head of a stored model, such as "3-1". Raises ResultsError for an unknown model or head."""
    (results,) = stored_models(find(places), [model])
    atlas = Atlas(results)
    named = {head_name(*place): place for place in atlas.places}
    if head not in named:
        raise ResultsError(
            f"Expected a head of {results.manifest.model} from 1-1 to {head_name(*atlas.shape)}, "
            f"found {head!r}; give its layer and its number."
        )
    return candidates_text(atlas, *named[head])


def _lines(statement: Statement) -> Iterator[str]:
    refused = statement.refused
    yield ""
    yield f"{_title(statement)}: {'given' if refused is None else 'refused'}"
    yield from (f"  {'met' if check.met else 'not met'}, {check.asks}: {check.found}" for check in statement.checks)
    yield from (f"  read from {table}: {_row(row)}" for table, row in statement.rows)


def _title(statement: Statement) -> str:
    """What would be said of the head."""
    if statement.kind in namings():
        return namings()[statement.kind].title(statement)
    if statement.kind in (TARGET, LEAN, PAIR):
        words = " and ".join(OF_TARGET[column].words for column in statement.about.split("+"))
        return f"{'looks at' if statement.kind == TARGET else 'leans to'} {words}"
    if statement.kind == PATTERN:
        return f"has maps of one pattern, {statement.about.removeprefix('pattern.')}"
    return "looks broadly" if statement.kind == BROAD else f"looks at {words_of(statement.about)[0]}"


def _row(row: Row) -> str:
    """The columns of a row with their values, as short as a person reads them."""
    return ", ".join(
        f"{name} {value:.4g}" if isinstance(value, float) else f"{name} {value}"
        for name, value in row.items()
        if name != "model"
    )
