"""Learning from scratch: pre-training, and what changes over its checkpoints."""

from generator.topics.topic import Topic

TOPIC = Topic(
    package=__name__,
    public=(
        "claims.before",
        "derived.removable",
        "page.data",
        "page.figures",
        "records.runs",
        "run.curve.checkpoints",
        "run.pretrain.data.masking",
        "run.pretrain.data.pairs",
        "run.pretrain.data.text",
        "run.pretrain.data.vocabulary",
        "run.pretrain.evaluation",
        "run.pretrain.settings",
        "run.pretrain.state",
        "run.pretrain.watch",
    ),
    records=("records.curves", "records.runs", "records.derived"),
    experiments={"curve": "run.curve.runs.run_curve", "curve.task": "run.curve.runs.run_curve_tuning"},
    claims=("claims.courses",),
    charts=("charts.lines", "charts.panels"),
    pages=("page.page",),
    heads=("page.history",),
    written=("page.written",),
    commands=("commands",),
)
