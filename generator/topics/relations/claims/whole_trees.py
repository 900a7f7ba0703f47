"""Related work on whole trees in the maps of one head."""

from collections.abc import Callable

from generator.claims.claim import Claim, part
from generator.claims.evidence.evidence import Evidence
from generator.numbers.number import Number
from generator.topics.learning.claims.before import before_training
from generator.topics.relations.records.trees import TREES


def _best_trees(reading: str) -> Callable[[Evidence], Number]:
    best = f"{reading}.best"
    return lambda evidence: evidence.of_chosen(TREES.name, f"{best}.gain", best)


R04 = Claim(
    id="R04",
    title="No head gives good trees",
    statement="No single head yields trees that are clearly better than those of a trivial baseline.",
    paper="Htut et al. 2019",
    section="abstract",
    measure=(
        "Share of undirected links of the gold tree that are in a head's maximum spanning tree, minus that in the "
        "chain of adjacent words; with edges from a word to those it attends to, as in the paper, and to those that "
        "attend to it. The best head is chosen on one half of the sentences; those of the other half are resampled. It "
        "holds only where it says more than of the same model before training."
    ),
    needs="a treebank: fieldguide analyze MODEL; and the model before its training: fieldguide curve RUN_OR_LIST",
    parts=(
        part(
            "R04.2",
            "the gain of the best head's trees with edges to attended words over the chain of adjacent words",
            TREES.quantity("uuas.to_dependents.best.gain").unit,
            _best_trees("uuas.to_dependents"),
            over="links",
            null=before_training("R04.2"),
        ),
        part(
            "R04.1",
            "the gain of the best head's trees with edges to attending words over the chain of adjacent words",
            TREES.quantity("uuas.best.gain").unit,
            _best_trees("uuas"),
            over="links",
            null=before_training("R04.1"),
        ),
    ),
    numbers=("claim/R04.1", "claim/R04.2", "trees/uuas.best.*", "trees/uuas.to_dependents.best.*"),
    which="with the best trees, by either direction of edges, on the other half of the sentences",
)

CLAIMS = (R04,)
