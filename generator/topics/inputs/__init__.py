"""What changes when the input does: masks, segments, separators, tokens cut off."""

from generator.topics.topic import Topic

TOPIC = Topic(
    package=__name__,
    public=(
        "claims",
        "compute.changed",
        "compute.hidden_tokens",
        "compute.manipulations",
        "records.inputs",
        "records.separators",
    ),
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
