"""How much the vectors of words depend on their context, and what the loss and the output react to."""

from generator.topics.topic import Topic

TOPIC = Topic(
    package=__name__,
    public=(
        "compute.gradients",
        "compute.occurrences",
        "records.contextuality",
    ),
    records=("records.contextuality", "records.gradients"),
    compute=("compute.contextuality", "compute.input_importance"),
    claims=("claims",),
    heads=("page",),
)
