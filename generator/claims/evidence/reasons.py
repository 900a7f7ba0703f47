"""Why a number is not there: one sentence for this model, not for models in general."""

import numpy as np

from generator.claims.missing import NotTestable
from generator.claims.said import TAKES
from generator.corpora.kinds import CorpusKind
from generator.results.manifest import Manifest

READS = {
    "relations": CorpusKind.TREEBANK,
    "words": CorpusKind.TREEBANK,
    "trees": CorpusKind.TREEBANK,
    "features": CorpusKind.TREEBANK,
    "probe": CorpusKind.TREEBANK,
    "usability": CorpusKind.TREEBANK,
    "antecedents": CorpusKind.MENTIONS,
    "frames": CorpusKind.FRAMES,
    "answers": CorpusKind.QUESTIONS,
}
"""What a study reads; the others read running text."""
SAVED = "saved maps"
"""How the manifest says that only saved maps of a model were at hand."""
LOSSES = ("gradient", "occlusion", "no-op", "begin")
"""Studies that need a masked-LM head, as every loss does."""
OF_THE_MODEL = {
    **dict.fromkeys(LOSSES, "a masked-LM head"),
    "answers": "a head that finds answers in passages",
    "contextuality": "the model's vectors",
    "manipulations": "the model itself, which is given changed inputs",
    "separators": "the model itself, which is given changed inputs",
    "model": "the model itself",
    "norms": "the model's value and output projections",
    "probe": "the model itself",
    "usability": "the model's vectors",
}
"""What studies take that maps do not show."""
OF_THE_TEXT = {
    "no-op": "[SEP] that gets no more attention than all words",
    "begin": "inputs with [CLS] and [SEP], and a model of two layers or more",
    "manipulations": "a use for a mask token or segment embeddings, which the model lacks",
    "separators": "[SEP], and periods or commas",
    "matching": "pairs of paragraphs",
    "maxima": "inputs of more than one token",
    "norms": "a model whose value and output projections can be read",
    "landscape": "a model of two heads or more",
    "contextuality": "words that occur in enough contexts",
}
"""What else a study must find."""
EXPERIMENTS = {
    "scores": "fieldguide finetune MODEL --task TASK --data DIR",
    "disabling": "fieldguide disable CHECKPOINT --task TASK --data DIR",
    "pruning": "fieldguide disable CHECKPOINT --task TASK --data DIR",
    "compare": "fieldguide compare MODEL CHECKPOINT",
    "curve": "fieldguide curve RUN_OR_LIST",
}
"""Studies that no analysis makes, and the command that does."""


def nothing_read(kind: CorpusKind, manifest: Manifest) -> NotTestable:
    """The reason where no corpus of a kind was read."""
    if manifest.observed == SAVED and kind is not CorpusKind.TREEBANK:
        return _only_maps(manifest, kind.noun)
    return NotTestable(f"{kind.noun} was not read with {manifest.model}; give it with --corpus")


def check_measured(column: str, rows: np.ndarray, manifest: Manifest) -> None:
    """Raises NotTestable for a column that saved maps cannot give."""
    if manifest.observed == SAVED and column.startswith("norm.") and np.isnan(rows).all():
        raise _only_maps(manifest, OF_THE_MODEL["norms"])


def nothing_stored(study: str, name: str, manifest: Manifest, stored: set[str]) -> NotTestable:
    """The reason where a number of a study is missing; `stored` names the studies that the results hold."""
    kind, model = study.partition(":")[0], manifest.model
    wanted = READS.get(study, CorpusKind.TEXT)
    what = f"{name} of the study {study}" if name else f"what the study {study} looks for"
    if manifest.observed == SAVED and (kind in EXPERIMENTS or study in OF_THE_MODEL):
        return _only_maps(manifest, OF_THE_MODEL.get(study, "the model itself"))
    if kind not in EXPERIMENTS and study != "answers" and not manifest.of(wanted):
        return nothing_read(wanted, manifest)
    if kind in EXPERIMENTS and name and study in stored:
        text = f"the stored runs of {model} lack {what}; make them again with: {EXPERIMENTS[kind]}"
    elif kind in EXPERIMENTS:
        text = f"no such run of {model} is stored; make one with: {EXPERIMENTS[kind]}"
    elif not manifest.settings.get("studies", True):
        text = f"{model} was analysed without studies; analyse it again with them"
    elif study == "answers" and study not in stored:
        text = f"no answers of {model} are stored; they take questions, and {OF_THE_MODEL[study]}"
    elif (study in LOSSES or name.endswith(".loss")) and stored.isdisjoint(LOSSES):
        text = f"the checkpoint of {model} has no masked-LM head"
    elif study in OF_THE_TEXT and study not in stored:
        text = f"what {model} read lacks what this takes: {OF_THE_TEXT[study]}"
    else:
        text = f"the text that {model} read does not define {what}"
    return NotTestable(text)


def _only_maps(manifest: Manifest, takes: str) -> NotTestable:
    return NotTestable(f"of {manifest.model} only saved maps are at hand{TAKES}{takes}")
