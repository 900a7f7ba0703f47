"""A model beside its fine-tuned copies."""

from generator.topics.topic import Topic

TOPIC = Topic(
    package=__name__,
    public=(
        "charts",
        "page.numbers",
        "records.comparison",
        "run.maps",
        "run.models",
        "run.weights",
    ),
    records=("records.changes", "records.comparison"),
    experiments={"compare": "run.run.run_compare"},
    charts=("charts",),
    claims=("claims",),
    models=("page.page",),
    shared=("page.page",),
    cached=("page.compared",),
    commands=("commands",),
)
