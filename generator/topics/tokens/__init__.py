"""The attention that tokens receive, by type, role, frequency and place."""

from generator.topics.topic import Topic

TOPIC = Topic(
    package=__name__,
    public=(
        "claims.types",
        "derived.rules",
        "records.matching",
        "records.tokens",
    ),
    records=("records.tokens", "records.matching", "records.derived"),
    compute=(
        "compute.roles",
        "compute.types",
        "compute.matching",
        "compute.maxima",
        "compute.sinks",
        "compute.model_facts",
        "compute.frequency",
    ),
    claims=("claims.roles", "claims.sinks", "claims.related"),
    pages=("page.roles",),
    written=("page.partners",),
)
