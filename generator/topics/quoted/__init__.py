"""Example sentences of the sources, each read by a model beside sentences of as many words."""

from generator.topics.topic import Topic

TOPIC = Topic(
    package=__name__,
    records=("records",),
    experiments={"quoted": "run.run.run_quoted"},
    written=("page.written",),
    commands=("commands",),
)
