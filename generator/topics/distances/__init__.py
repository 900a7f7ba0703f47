"""How differently heads attend, and how many of them have a double."""

from generator.topics.topic import Topic

TOPIC = Topic(
    package=__name__,
    public=("compute.divergence",),
    records=("records",),
    compute=("compute.study",),
    claims=("claims",),
    pages=("page",),
    heads=("page",),
)
