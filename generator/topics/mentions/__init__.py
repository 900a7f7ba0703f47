"""What heads do with linked mentions: antecedents of pronouns and names, and answers to questions."""

from generator.topics.topic import Topic

TOPIC = Topic(
    package=__name__,
    public=(
        "page.coreference",
        "page.found",
    ),
    corpora=("corpus.mentions",),
    records=("records",),
    compute=("compute.antecedents", "compute.answers"),
    claims=("claims.antecedents",),
    naming=("page.naming",),
    heads=("page.naming",),
)
