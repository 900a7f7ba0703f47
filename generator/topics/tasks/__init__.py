"""What a model scores after fine-tuning, and what it loses without some of its heads."""

from generator.topics.topic import Topic

TOPIC = Topic(
    package=__name__,
    public=(
        "claims.learned",
        "page.results",
        "page.words",
        "page.written",
        "records.tasks",
        "run.disable.scores",
        "run.finetune.leads",
        "run.finetune.settings",
        "run.finetune.table",
        "run.finetune.train",
    ),
    records=("records.tasks", "records.optima"),
    experiments={
        "finetune": "run.finetune.run.run_finetune",
        "disable": "run.disable.run.run_disable",
        "optima": "run.optima.run.run_optima",
    },
    claims=("claims.disabling", "claims.tuning"),
    charts=("charts",),
    pages=("page.page",),
    naming=("page.needed",),
    heads=("page.needed",),
    written=("page.written",),
    commands=("commands",),
)
