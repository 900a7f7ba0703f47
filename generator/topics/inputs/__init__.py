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
        "records.mask_rows",
        "records.separators",
    ),
    records=("records.inputs", "records.separators", "records.mask_rows"),
    compute=(
        "compute.separators",
        "compute.manipulations",
        "compute.occlusion",
        "compute.begin_token",
        "compute.no_op",
        "compute.mask_rows",
    ),
    claims=("claims",),
    pages=("page",),
    written=("page",),
)
