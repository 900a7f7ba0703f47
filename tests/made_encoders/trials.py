"""One encoder made by hand, read with one seed: is its true name given, and the one that it only seems to have?"""

import tempfile
from pathlib import Path
from typing import NamedTuple

from generator.claims.gate.statement import Place, Statement
from generator.config import ModelChoice
from generator.corpora.opening import open_corpora
from generator.experiments.reading import Reading
from generator.pages.heads.atlas import Atlas
from generator.topics.tasks.run.disable.run import run_disable
from tests.made_encoders.corpora import WORDS, known, reviews
from tests.made_encoders.encoders import Made, Named
from tests.made_encoders.reading import names, read
from tests.made_encoders.weights import HEADS, POSITIONS, write_made
from tests.reports import Silence

TASK, LIMIT = "sst2", 5.2
"""The task for which heads are disabled, and how much must be written at [CLS] for the answer 1."""


class Trial(NamedTuple):
    """What the gate says of one encoder and seed."""

    named: bool
    """Whether the true head has its name, before all others."""
    misled: bool
    """Whether the false head is given the name that it only seems to have."""
    refused: str
    """The kinds of checks by which it is not given that name."""
    others: tuple[str, ...]
    """The names of heads without a specialty."""
    told: str
    """What all heads are called."""


def trial(made: Made, seed: int, folder: Path, *natural: str) -> Trial:
    """Make an encoder and its corpora, read them and some `natural` ones, and ask for the names of its heads."""
    heads, true, false = made.heads(seed)
    corpora = [*made.corpora(folder, seed), *natural]
    words = known(open_corpora(corpora)) | WORDS
    model = write_made(folder / "made", words, heads, seed, answers=LIMIT if made.task else None)
    results = folder / "results"
    if made.task:
        reviews(folder, seed)
        reading = Reading((), TASK, folder, seed, POSITIONS, "cpu")
        run_disable(ModelChoice(str(model)), reading, folder / "tuned", results, Silence())
    atlas = read(model, results, corpora, seed=seed, max_tokens=POSITIONS)
    first = names(atlas)
    places = [(at // HEADS + 1, at % HEADS + 1) for at in range(len(heads))]
    rest = (place for place in places if place not in (places[true], places[false]) and place in first)
    seeming = [one for one in atlas.candidates[places[false]] if is_named(one, made.seems)]
    return Trial(
        is_named(first.get(places[true]), made.named),
        any(one.given for one in seeming),
        ", ".join(sorted({check.asks for one in seeming for check in one.checks if not check.met})),
        tuple(f"{first[place].kind} {first[place].about}" for place in rest),
        _told(atlas, {places[true]: "true", places[false]: "false"}),
    )


def is_named(statement: Statement | None, wanted: Named) -> bool:
    """Whether a statement is of this kind and about this; of a task, in whatever way heads are disabled."""
    return statement is not None and statement.kind == wanted[0] and statement.about.split("/")[0] == wanted[1]


def tried(made: Made, seed: int, *natural: str) -> Trial:
    """The same in a folder that is deleted."""
    with tempfile.TemporaryDirectory() as folder:
        return trial(made, seed, Path(folder), *natural)


def _told(atlas: Atlas, which: dict[Place, str]) -> str:
    return "; ".join(f"{which.get(place, 'other')} {summary.title}" for place, summary in atlas.summaries.items())
