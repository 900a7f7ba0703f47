"""Why a number is not there: one sentence for this model, not for models in general."""

from generator.claims.missing import NotTestable
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
MASKED_LM = "a masked-LM head"
TAKES = {
    "gradient": MASKED_LM,
    "occlusion": MASKED_LM,
    "no-op": f"{MASKED_LM} and separators that get no more attention than all words",
    "begin": f"{MASKED_LM}, a begin token, a separator and two layers or more",
    "manipulations": "a mask token, segment embeddings or a masked-LM head",
    "separators": "a separator, and periods or commas in the text",
    "matching": "text in pairs of paragraphs",
    "maxima": "more than one token",
    "norms": "value and output projections that can be read",
    "landscape": "two heads or more",
    "contextuality": "words that occur in enough contexts",
    "answers": "a head that finds answers in passages",
}
"""What a model or text must have for a study."""
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
    return NotTestable(f"{kind.noun} was not read with {manifest.model}; give it with --corpus")


def nothing_stored(study: str, name: str, manifest: Manifest, stored: set[str]) -> NotTestable:
    """The reason where a number of a study is missing; `stored` names the studies that the results hold."""
    kind = study.partition(":")[0]
    if kind in EXPERIMENTS:
        return NotTestable(f"no such run of {manifest.model} is stored; make one with: {EXPERIMENTS[kind]}")
    wanted = READS.get(study, CorpusKind.TEXT)
    if not manifest.of(wanted) and wanted is not CorpusKind.QUESTIONS:  # a head that answers them is rarer
        return nothing_read(wanted, manifest)
    if not manifest.weights_sha256 and study in TAKES:
        return NotTestable(f"of {manifest.model} only saved maps are at hand, and this takes {TAKES[study]}")
    if study in TAKES and study not in stored:
        return NotTestable(f"{manifest.model}, or the text it read, lacks what this takes: {TAKES[study]}")
    what = f"{name} of the study {study}" if name else f"what the study {study} looks for"
    return NotTestable(f"the text that {manifest.model} read does not define {what}")
