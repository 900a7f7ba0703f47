"""What heads find in a sentence's tree: dependency relations, whole trees, spans."""

from generator.topics.topic import Topic

TOPIC = Topic(
    package=__name__,
    public=(
        "claims.chosen",
        "claims.finds",
        "claims.outside",
        "claims.syntax",
        "compute.reading",
        "compute.relations",
        "derived.layer_gains",
        "derived.predictions",
        "derived.tried",
        "records.relations",
        "records.trees",
    ),
    records=("records.trees", "records.relations"),
    compute=(
        "compute.relations",
        "compute.arrows",
        "compute.trees",
        "compute.links",
        "compute.resting",
        "compute.deciles",
    ),
    claims=("claims.relations", "claims.syntax", "claims.links", "claims.outside", "claims.whole_trees"),
    charts=("charts",),
    pages=("page.page",),
    naming=("page.naming",),
    against=("claims.sentences",),
    heads=("page.heads", "page.published"),
    models=("page.published", "page.contradicted", "page.beside"),
    figures=("page.page",),
    written=("page.written",),
)
