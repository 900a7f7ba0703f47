"""Curves over layers: breadth, patterns of maps, and whether layers fall into phases."""

from generator.topics.topic import Topic

TOPIC = Topic(
    package=__name__,
    public=(
        "claims.phases",
        "derived.pattern_shares",
        "derived.profiles",
        "records",
    ),
    records=("records",),
    claims=("claims.phases", "claims.patterns"),
    charts=("charts.profiles", "charts.patterns"),
    pages=("page.phases.page", "page.patterns.page"),
    heads=("page.patterns.page",),
    models=("page.beside",),
    cached=("page.division",),
    written=("page.written",),
)
