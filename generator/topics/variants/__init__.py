"""Trainings that differ in their recipe: what [MASK], copying and segments do, on the same held-out text."""

from generator.topics.topic import Topic

TOPIC = Topic(
    package=__name__,
    records=("records",),
    experiments={"variants": "run.run.run_variants", "variants.task": "run.tuned.run_variants_tuning"},
    charts=("charts",),
    pages=("page.page",),
    written=("page.written",),
    commands=("commands",),
)
