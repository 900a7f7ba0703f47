"""What heads do with linked mentions: antecedents of pronouns and names, answers to questions, and spans."""

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
    experiments={"spans": "run.spans.run.run_spans"},
    claims=("claims.antecedents",),
    naming=("page.naming",),
    heads=("page.naming",),
    written=("page.written",),
    commands=("commands",),
)
