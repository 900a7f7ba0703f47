"""What all heads, or the hidden states, contain about words and trees: classifiers with controls."""

from generator.topics.topic import Topic

TOPIC = Topic(
    package=__name__,
    public=("compute.usability", "page"),
    records=("records",),
    compute=("compute.probes", "compute.usability"),
    claims=("claims",),
)
