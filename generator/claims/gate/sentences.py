"""Which treebanks may contradict what a claim says of running text: in them each sentence is an input by itself."""

from collections.abc import Mapping

from generator.claims.evidence.evidence import Evidence
from generator.corpora.catalogue import is_own


def heard(evidence: Evidence, study: str, name: str) -> Mapping[str, Evidence]:
    """Treebank -> what reads it, of those for which a study stored a number of heads; the one that was written for this
    project counts only where there is no other.
    """
    if evidence.known_head_facts(study, name) is None:
        return {}
    read = evidence.trail[-1]
    texts = {read.corpus: evidence, **evidence.others([read])}
    own = {corpus.name for corpus in evidence.manifest.corpora if is_own(corpus.name, corpus.sha256)}
    return {corpus: texts[corpus] for corpus in sorted(texts.keys() - own or texts)}
