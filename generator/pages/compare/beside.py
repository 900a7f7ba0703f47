"""What a model shows beside any other one: a small script for each model, fetched when a reader chooses the model.

It is a script because a page opened from disk can load no other kind of file. `pairs.js` reads it.
"""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from generator.pages import addresses
from generator.pages.claims.sentences import reason_of
from generator.pages.claims.tables import SHOWN, Ledger
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.map import head_map
from generator.pages.heads.of_head import in_lists
from generator.pages.heads.summary import kinds
from generator.pages.models import read_of
from generator.pages.of_model import of_model
from generator.pages.renderer import attempt_text
from generator.visible import visible_json

Data = Mapping[str, Any]


def beside_file(atlas: Atlas, ledger: Ledger, problems: list[str]) -> tuple[str, str]:
    """Address and text of the script of a model; if it cannot be made, the reason is added to `problems`, and the
    script hands over only this. `ledger` has the verdicts on the model.
    """
    before = len(problems)
    model = atlas.results.manifest.model
    text = attempt_text(f"What {model} shows beside others", partial(_script, atlas, ledger), problems)
    if len(problems) > before:
        text = script({"missing": text})
    return addresses.beside(atlas.slug), text


def script(data: Data) -> str:
    """The script that hands over some data, as `fieldguide.js` expects it."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return f"window.fieldguideData={visible_json(text)};\n"


def _script(atlas: Atlas, ledger: Ledger) -> str:
    return script(beside_data(atlas, ledger))


def beside_data(atlas: Atlas, ledger: Ledger) -> Data:
    """Everything that the page of two models shows of one; numbers are texts as `handed` writes them."""
    layers, heads = atlas.shape
    return {
        "name": atlas.results.manifest.model,
        "told": read_of(atlas),
        "corpus": atlas.corpus,
        "layers": layers,
        "heads": heads,
        **_heads(atlas),
        **{key: value for topic in of_model(atlas) for key, value in topic.data().items()},
        **_verdicts(atlas, ledger),
    }


def _heads(atlas: Atlas) -> Data:
    """For every head, in their order: the kind of its square, the filled side in per cent, and what it does."""
    titles = {place: in_lists(atlas, *place) for place in atlas.places}
    known, distinct = list(kinds()), list(dict.fromkeys(titles.values()))
    squares = [square for row in head_map(atlas, addresses.COMPARISONS).rows for square in row]
    return {
        "kind": [known.index(square.first) for square in squares],
        "side": [square.side for square in squares],
        "title": [distinct.index(titles[place]) for place in atlas.places],
        "titles": distinct,
    }


def _verdicts(atlas: Atlas, ledger: Ledger) -> Data:
    """Claim -> the place of its verdict in SHOWN, that of its number or reason among `whys`, and any words on another
    verdict.
    """
    found: dict[str, tuple[int, str, str]] = {}
    for item in ledger.of_model(atlas.results.manifest.model):
        found[item.claim.id] = SHOWN.index(item.verdict), *reason_of(ledger, item)
    whys: Sequence[str] = [*dict.fromkeys(why for *_, why in found.values())]
    verdicts = {name: [at, whys.index(why), *filter(None, [changed])] for name, (at, changed, why) in found.items()}
    return {"verdicts": verdicts, "whys": whys}
