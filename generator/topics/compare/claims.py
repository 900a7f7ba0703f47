"""Jobs of pre-training: how far fine-tuning moves the weights (McCarthy 2021)."""

from generator.claims.claim import Claim, part
from generator.claims.evidence.evidence import Evidence
from generator.claims.missing import NotTestable
from generator.claims.nameless import NOT_TUNED, OF_THE_MODEL
from generator.claims.others.introductions import ANSWER
from generator.numbers.number import Number, exact
from generator.topics.tasks.claims.learned import FINE_TUNED, RANDOM, ahead, called, tuned_copies


def _distances(evidence: Evidence) -> Number:
    ratios, behind = {}, []
    for study, task in tuned_copies(evidence):
        lead = ahead(evidence, task, FINE_TUNED, RANDOM)
        if lead.low > 0:
            moved, random = (evidence.fact(study, f"weights.{name}", task) for name in ("distance", "random"))
            ratios[study] = moved.value / random.value
        else:
            behind.append(f"{called(task)} is not surely done better from pre-trained than from random weights")
    if not ratios:
        raise NotTestable("; ".join(behind))
    return exact(max(ratios.values()), len(ratios))


Q02 = Claim(
    id="Q02",
    title="Fine-tuning stays near the pre-trained weights",
    statement=(
        "A good setting for pre-training is suspected to be close to a good one for the task, so fine-tuned weights "
        "should stay near."
    ),
    paper=ANSWER,
    section="answer",
    measure=(
        "Distance of all fine-tuned from the pre-trained weights, divided by that of a random initialisation from "
        "them; the highest among checkpoints that learned their task, and learned it surely better than the same "
        "training from random weights does."
    ),
    needs="a fine-tuned checkpoint beside the pre-trained one: fieldguide finetune, then fieldguide compare",
    parts=(
        part(
            "Q02.2",
            "the distance from pre-trained to fine-tuned weights divided by that to random ones",
            "ratio",
            _distances,
            over="fine-tuned copies",
        ),
    ),
    numbers=(
        "compare/copy",
        "compare/score*",
        "compare/weights.distance",
        "compare/weights.random",
        "scores/*.pretrained.fine-tuned.minus.random.fine-tuned",
    ),
    nameless=OF_THE_MODEL,
    never={"inconclusive": "distances between weights are exact numbers and have no interval"},
    unfollowed=NOT_TUNED,
)

CLAIMS = (Q02,)
