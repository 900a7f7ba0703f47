"""Kovaleva et al. 2019: claims about tasks, fine-tuned models and disabled heads, and what would decide them."""

from generator.claims.claim import Claim
from generator.claims.kovaleva import KOVALEVA

TASK = "a fine-tuned checkpoint and labelled data of its task"
PAIR = "a fine-tuned checkpoint beside the pre-trained one it comes from"
TASKS = ("mrpc", "stsb", "sst2", "qqp", "rte", "qnli", "mnli")


def _by_training(task: str, *columns: str) -> tuple[str, ...]:
    return tuple(f"kovaleva.table1.{task}.accuracy.{column}" for column in columns)


K01 = Claim(
    id="K01",
    title="Maps fall into five classes",
    statement="Attention maps fall into five recurring classes: vertical, diagonal, both, block and heterogeneous.",
    paper=KOVALEVA,
    section="4.1",
    measure=(
        "Shares of the five classes over heads and inputs, by rules for single maps, and how often a head keeps its "
        "class."
    ),
    needs="the pattern class of every map, which the results do not hold",
    published=("kovaleva.patterns.vertical", "kovaleva.patterns.f1"),
)
K02 = Claim(
    id="K02",
    title="Heterogeneous maps are a third to three fifths",
    statement="Maps without a distinct structure are a minority to a modest majority, depending on the task.",
    paper=KOVALEVA,
    section="4.1",
    measure="Share of maps that the rules leave heterogeneous, for each task.",
    needs=f"the pattern class of every map, and {TASK}",
    published=("kovaleva.patterns.heterogeneous_mrpc", "kovaleva.patterns.heterogeneous_qqp"),
)
K04 = Claim(
    id="K04",
    title="Two heads link frame elements to predicates",
    statement="Two heads stand out in linking the core elements of a frame to the predicate.",
    paper=KOVALEVA,
    section="4.2",
    measure=(
        "Mean over sentences of the largest weight on annotated links, for every head, against an offset-matched "
        "baseline."
    ),
    needs="text annotated with frames or semantic roles, and link scores of every head",
    published=("kovaleva.frames.first", "kovaleva.frames.second", "kovaleva.frames.sentences"),
)
K05 = Claim(
    id="K05",
    title="Tasks do not need the frame heads",
    statement="Disabling the heads that link frame elements costs no task any accuracy.",
    paper=KOVALEVA,
    section="5",
    measure="Score of the task with each of these heads set to uniform attention, less the full score.",
    needs=f"{TASK}, and the scores of every head on frames",
)
K06 = Claim(
    id="K06",
    title="Fine-tuning changes the last two layers most",
    statement="Fine-tuning changes the maps of the last two layers most, in every task but QQP.",
    paper=KOVALEVA,
    section="4.3",
    measure=(
        "Cosine of the maps of both checkpoints on the same input, cropped to its tokens, mean over heads and inputs."
    ),
    needs=PAIR,
    published=tuple(f"kovaleva.cosine_qqp.{layer}" for layer in range(1, 13)),
)
K07 = Claim(
    id="K07",
    title="Fine-tuning gains much, and pre-training helps",
    statement=(
        "Fine-tuning gains many points over the frozen model, and starting from pre-trained weights beats random ones."
    ),
    paper=KOVALEVA,
    section="4.3, Table 1",
    measure="Mean gain in accuracy over tasks, and fine-tuned scores by initialisation.",
    needs="fine-tuning runs from pre-trained and from random weights",
    published=(
        "kovaleva.gain.mean",
        *(key for task in TASKS for key in _by_training(task, "pretrained", "random", "finetuned")),
    ),
)
K08 = Claim(
    id="K08",
    title="Random weights, fine-tuned, do well too",
    statement="A model fine-tuned from random weights is nevertheless strong, except on similarity.",
    paper=KOVALEVA,
    section="the authors' blog post",
    measure="Score of a model fine-tuned from random weights less that of the majority class.",
    needs="fine-tuning runs from random weights, and the majority class of every task",
    published=tuple(key for task in TASKS for key in _by_training(task, "random")),
)
K09 = Claim(
    id="K09",
    title="Vertical stripes belong to special tokens",
    statement=(
        "Vertical stripes in maps belong to special tokens, not to nouns, verbs, pronouns, subjects, objects or "
        "negation."
    ),
    paper=KOVALEVA,
    section="4.4",
    measure="Largest mean weight received by a token of each linguistic feature, against that of special tokens.",
    needs="scores of linguistic features on tagged text, which the results do not hold",
    published=("kovaleva.features.sep", "kovaleva.features.noun", "kovaleva.features.cls_head2-7"),
)
K11 = Claim(
    id="K11",
    title="A single separator takes more weight",
    statement="Inputs of one sentence give their single [SEP] more weight than pairs give either of theirs.",
    paper=KOVALEVA,
    section="4.4",
    measure="Mean weight of the larger separator, for the same text read as one segment and as a pair.",
    needs="the same text read as one segment and as a pair",
)
K12 = Claim(
    id="K12",
    title="Fine-tuning hardly raises attention to linguistic features",
    statement="Fine-tuning raises attention to nouns, objects or negation in some tasks, but negligibly.",
    paper=KOVALEVA,
    section="4.4",
    measure="Feature scores of the fine-tuned model less those of the pre-trained one.",
    needs=f"{PAIR}, and scores of linguistic features on tagged text",
)
K14 = Claim(
    id="K14",
    title="In the last layer the begin token attends to separators",
    statement="In the final layer [CLS] attends most to [SEP]; in STS-B, RTE and QNLI to punctuation.",
    paper=KOVALEVA,
    section="4.5",
    measure="The begin token's row in the last layer, by category of the attended token.",
    needs=TASK,
)
K15 = Claim(
    id="K15",
    title="Some head can be disabled with a gain",
    statement="In every task some head can be disabled with a gain; in MRPC and RTE even a random one, on average.",
    paper=KOVALEVA,
    section="4.6",
    measure="Change of the score when one head is set to uniform attention: the best and the mean over heads.",
    needs=f"{TASK}, and a sweep that disables every head",
    published=("kovaleva.disabling.head_stsb", "kovaleva.disabling.head_mrpc"),
)
K16 = Claim(
    id="K16",
    title="A whole layer can be disabled with a gain",
    statement="In some tasks a whole layer can be disabled with a gain.",
    paper=KOVALEVA,
    section="4.6",
    measure="Change of the score when all heads of a layer are set to uniform attention: the best over layers.",
    needs=f"{TASK}, and a sweep that disables every layer",
    published=("kovaleva.disabling.layer1_rte", "kovaleva.disabling.layer_qnli_mnli"),
)
K17 = Claim(
    id="K17",
    title="Heads for sentence pairs match identical words",
    statement="The heads that sentence-pair tasks rely on attend to words that stand in both sentences.",
    paper=KOVALEVA,
    section="5",
    measure="Weight between the same word forms in both segments less that between other words of both.",
    needs=f"the weight between identical words of both segments, and {TASK} to know the heads it relies on",
)
