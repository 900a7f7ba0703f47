"""Any two models of the guide side by side: what the page has without a script, and what `pairs.js` needs besides the
data of both models.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import urlencode

from generator.claims.all import CLAIMS
from generator.claims.cutoffs import FEWEST_WORDS
from generator.pages import addresses
from generator.pages.blocks import Section, Table, opening
from generator.pages.claims.tables import SHOWN, mark
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.map import HOW_TO_READ
from generator.pages.heads.summary import kinds as every_kind
from generator.pages.inline import Code, Link, Name, plain, prose
from generator.pages.links import to_model
from generator.visible import visible_json

TITLE = "Two models side by side"
LEAD = (
    "Choose any two models: what each of them is, how attention changes through the layers, what every head does, "
    "which head finds a relation best, and on which published claims the two disagree."
)
ALONE = "This guide has one model, so nothing can stand beside it. Add another with {command}, and choose both here."
NOTES = {
    "heads": plain(HOW_TO_READ.text),
    "courses": (
        "Means over the heads of a layer; bands are 95 % intervals over documents. Each layer stands at its part of "
        "the depth, so that models of any number of layers can be compared. Entropy is told as a share of that of "
        "uniform attention; distant words are more than eight tokens away."
    ),
    "found": (
        "The best head of each model was chosen on one half of the sentences, and how often it is right was counted on "
        "the other. The tick is the best fixed offset, such as the next word, which looks at nothing; lines are 95 % "
        f"intervals. Relations with fewer than {FEWEST_WORDS} words are left out, unless the treebank has no others."
    ),
    "verdicts": (
        "Each claim is judged for every model by itself, with thresholds that were registered before; that the "
        "verdicts differ does not say that the numbers surely do."
    ),
}
"""How to read each part."""


@dataclass(frozen=True)
class Pairs:
    """Two lists to choose models from, and the place of all that is shown of them; a table names the models."""

    template: ClassVar[str] = "pairs"
    table: str
    """The anchor of the table of all models, from whose links the lists are made."""
    data: str
    """JSON of what is the same for all models."""
    script: str
    style: str


def chosen(atlases: Sequence[Atlas], page: str) -> Iterator[Section]:
    """The sections of the choice and of all models."""
    if not atlases:
        yield opening(prose("No model has been analysed yet. Run {command}.", command=Code("fieldguide build")))
        return
    own = addresses.relative(addresses.ASSETS, page)
    pairs = Pairs("pair-models", visible_json(json.dumps(_shared())), f"{own}pairs.js", f"{own}pairs.css")
    yield opening(pairs if len(atlases) > 1 else prose(ALONE, command=Code("fieldguide add")))
    rows = tuple((_named(atlas, page), *_shape(atlas)) for atlas in atlases)
    columns = ("model", "layers", "heads of each", "measured on")
    yield Section("models", "The models", (Table(columns, rows, "The models of this guide", id=pairs.table),))


def _named(atlas: Atlas, page: str) -> Name:
    model = atlas.results.manifest.model
    return Name(model, to_model(atlas.slug, model, page).href)


def _shape(atlas: Atlas) -> tuple[str, str, str]:
    layers, heads = atlas.shape
    return str(layers), str(heads), atlas.text


def _shared() -> dict[str, object]:
    return {
        "claims": [[claim.id, claim.title, claim.paper] for claim in CLAIMS],
        "kinds": [[key, text] for key, text in every_kind().items()],
        "verdicts": [[mark(verdict).key, verdict] for verdict in SHOWN],
        "notes": NOTES,
    }


def beside_link(atlas: Atlas, page: str) -> Link:
    """A link to the page of two models, one of which is chosen."""
    asked = urlencode({"a": atlas.slug})
    return Link("Beside another model", f"{addresses.relative(addresses.COMPARISONS, page)}?{asked}")
