"""Several trainings of one recipe: which of their heads come back, and which are chance."""

from generator.topics.topic import Topic

TOPIC = Topic(
    package=__name__,
    public=("records", "run.trainings"),
    records=("records",),
    experiments={"seeds": "run.run.run_seeds"},
    pages=("page.page",),
    written=("page.written",),
    commands=("commands",),
)
