"""What heads do with linked mentions: antecedents of pronouns and names, and answers to questions."""

from generator.topics.topic import Topic

TOPIC = Topic(
    package=__name__,
    public=(
        "claims.finds",
        "corpus.mentions",
        "derived.lead",
        "records",
    ),
    corpora=("corpus.mentions",),
    records=("records",),
    compute=("compute.antecedents", "compute.answers"),
    claims=("claims.antecedents",),
    naming=("page",),
    heads=("page",),
)
