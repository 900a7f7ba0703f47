"""What changes when the input does: masks, segments, separators, tokens cut off."""

from generator.topics.topic import Topic

TOPIC = Topic(
    package=__name__,
    records=("records.inputs", "records.separators"),
    compute=(
        "compute.separators",
        "compute.manipulations",
        "compute.occlusion",
        "compute.begin_token",
        "compute.no_op",
    ),
    claims=("claims",),
    pages=("page",),
    written=("page",),
)
