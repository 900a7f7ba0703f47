"""Why a number is not there: one sentence for this model, not for models in general."""

from collections.abc import Collection

import numpy as np

from generator.claims.missing import NotTestable
from generator.claims.said import TAKES
from generator.corpora.kind import Form, Kind
from generator.measures.norms import NORMS, PROJECTIONS
from generator.numbers.quantity import Study
from generator.results.manifest import Manifest
from generator.studies.complete import of_another_version, should_have
from generator.studies.declared import STUDIES

SAVED = "saved maps"
"""What the manifest says of a model of which only saved maps were at hand."""
LOSS = "a masked-LM head"
"""What a study needs if its numbers rest on losses."""
_OF_NORMS = frozenset(norm.name for norm in NORMS)
LOSSES = frozenset(study.name for study in STUDIES if study.takes == LOSS)


def nothing_read(kind: Kind, manifest: Manifest) -> NotTestable:
    """The reason where no corpus of a kind was read."""
    if manifest.observed == SAVED and not kind.words:
        return _only_maps(manifest, kind.noun)
    return NotTestable(f"{kind.noun} was not read with {manifest.model}; give it with --corpus")


def check_measured(column: str, rows: np.ndarray, manifest: Manifest) -> None:
    """Raises NotTestable for a measured column that is undefined because only saved maps were at hand."""
    if manifest.observed == SAVED and column in _OF_NORMS and np.isnan(rows).all():
        raise _only_maps(manifest, PROJECTIONS)


def nothing_stored(
    study: Study, name: str, manifest: Manifest, names: Collection[str], there: Collection[str]
) -> NotTestable:
    """Why a number of a study is missing or, without a name, the whole study.

    `there` are the names of the stored studies, and `names` those of the study's stored numbers.
    """
    kind, model = study.reads, manifest.model
    what = _called(study, name) if name else f"what the study {study.name} looks for"
    known = any(map(study.owns, there))
    if manifest.observed == SAVED and (study.command or study.takes):
        return _only_maps(manifest, study.takes or "the model itself")
    if study.command and name and known:
        return NotTestable(f"the stored runs of {model} lack {what}; make them again with: {study.command}")
    if study.command:
        return NotTestable(f"no such run of {model} is stored; make one with: {study.command}")
    if kind.form is not Form.HEAD and not manifest.of(kind):
        return nothing_read(kind, manifest)
    if not manifest.settings.get("studies", True):
        text = f"{model} was analysed without studies; analyse it again with them"
        text += f"{TAKES}{study.takes}" if study.takes else ""
    elif kind.form is Form.HEAD and not known:
        text = f"no {study.name} of {model} are stored; they take {kind.noun}, and {study.takes}"
    elif (study.takes == LOSS or name.endswith(".loss")) and LOSSES.isdisjoint(there):
        text = f"the checkpoint of {model} has no masked-LM head"
    elif study.finds and not known:
        saved = manifest.observed == SAVED
        lacks = f"there are none in the saved maps of {model}" if saved else f"neither {model} nor its text offers that"
        text = f"it takes {study.finds}; {lacks}"
    elif name and known and should_have(study, name, names) and of_another_version(manifest):
        text = (
            f"the results of {model} were stored by {_version(manifest)} of this program, which did not make {what}; "
            f"delete the folder and make it again with: {manifest.command.splitlines()[0]}"
        )
    else:
        text = f"nothing that {model} read gives {what}"
    return NotTestable(text)


def _version(manifest: Manifest) -> str:
    return f"version {known}" if (known := manifest.packages.get("fieldguide")) else "another version"


def _called(study: Study, name: str) -> str:
    """What a number of a study is, in words where it has a record, and under which name it is stored."""
    stored = f"{name} of the study {study.name}"
    known = any(quantity.values_in(name) is not None for quantity in study.quantities)
    return f'"{study.quantity(name).title}" ({stored})' if known else stored


def _only_maps(manifest: Manifest, takes: str) -> NotTestable:
    return NotTestable(f"of {manifest.model} only saved maps are at hand{TAKES}{takes}")
