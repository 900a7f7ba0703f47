"""Attention between the parts of a frame, and to words of a kind."""

from generator.topics.topic import Topic

TOPIC = Topic(
    package=__name__,
    public=(
        "compute.features",
        "records",
    ),
    corpora=("corpus.frames",),
    records=("records",),
    compute=("compute.features", "compute.frames"),
    claims=("claims",),
    pages=("page.page",),
)
