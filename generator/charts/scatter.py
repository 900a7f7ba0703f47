"""Points in the plane: the heads of a model by how alike they are, and frequent tokens by how they are attended to."""

import altair as alt

from generator.charts import HIGHEST, LOWEST, TOLD
from generator.charts.parts import DATA, colour_params, colour_scale, legend_columns
from generator.charts.theme import LIGHT, ROLES


def heads_by_kind() -> alt.TopLevelMixin:
    """Every head where scaling puts it, in the colour of its kind, linking to its page.

    Columns: x, y, layer, head, kind, cluster, summary, href, label (the name of a head that has one in the map, or
    empty), aside and down (on which side of its point it stands: 1 is to the right, or below). Signals: left, right,
    bottom and top (ends of what is shown, nats), names (kind -> its name in the legend), kinds (those that the legend
    shows).
    """
    fill = alt.Fill(
        "kind:N",
        title=None,
        scale=alt.Scale(domain=list(LIGHT.kinds), range=[alt.ExprRef(f"kind_{kind}") for kind in LIGHT.kinds]),
        legend=alt.Legend(
            orient="top",
            columns=legend_columns(4),
            symbolType="circle",
            symbolStrokeWidth=0,
            labelExpr="names[datum.label]",
            values=alt.ExprRef("kinds"),
        ),
    )
    return _heads(fill, alt.param(name="names", value={}), alt.param(name="kinds", value=list(LIGHT.kinds)))


def heads_by_layer() -> alt.TopLevelMixin:
    """The same heads in the same places, coloured by layer. Columns and ends are those of `heads_by_kind`. Signals:
    layers (those that the legend names).
    """
    return _heads(
        alt.Fill(
            "layer:Q",
            title="layer",
            scale=alt.Scale(range="heatmap", zero=False),
            legend=alt.Legend(
                orient="top", gradientLength=180, gradientThickness=10, values=alt.ExprRef("layers"), format="d"
            ),
        ),
        alt.param(name="layers", value=[1]),
    )


def _heads(fill: alt.Fill, *signals: alt.Parameter) -> alt.TopLevelMixin:
    """Both axes have the same unit, so that distances can be compared in every direction."""
    tall = "width * (top - bottom) / (right - left)"
    height = (
        f"{tall} > {HIGHEST} ? {HIGHEST} : {tall} < {LOWEST} ? {LOWEST} : {tall}"  # as `height_of` and `unit_of` do
    )
    nats = "((right - left) * height > (top - bottom) * width ? (right - left) / width : (top - bottom) / height)"
    few = alt.Axis(tickCount=5, grid=False)

    def ends(first: str, last: str, pixels: str) -> alt.Scale:
        domain = [alt.ExprRef(f"({first} + {last} {sign} {nats} * {pixels}) / 2") for sign in "-+"]
        return alt.Scale(domain=domain, nice=False, zero=False)

    x = alt.X("x:Q", title="nats", axis=few, scale=ends("left", "right", "width"))
    y = alt.Y("y:Q", title="nats", axis=few, scale=ends("bottom", "top", "height"))
    points = (
        alt.Chart(DATA)
        .mark_point(size=110, opacity=0.9, strokeWidth=1, stroke=alt.ExprRef("ink"), cursor="pointer")
        .encode(
            x=x,
            y=y,
            fill=fill,
            href="href:N",
            tooltip=[alt.Tooltip("layer:Q"), alt.Tooltip("head:Q"), alt.Tooltip("summary:N"), alt.Tooltip("cluster:Q")],
        )
    )
    names = (
        alt.Chart(DATA)
        .transform_filter("datum.label != ''")
        .mark_text(
            align=alt.ExprRef("datum.aside > 0 ? 'left' : datum.aside < 0 ? 'right' : 'center'"),
            dx=alt.ExprRef("datum.aside * 9"),
            dy=alt.ExprRef("datum.down * 13"),
            fontSize=12,
            color=alt.ExprRef("ink"),
        )
        .encode(x=x, y=y, text="label:N")
    )
    shown = {"left": -1, "right": 1, "bottom": -1, "top": 1}
    return alt.layer(points, names, width="container", height=HIGHEST).add_params(
        *colour_params(),
        *(alt.param(name=name, value=value) for name, value in shown.items()),
        alt.param(name="height", expr=height),
        *signals,
    )


def tokens() -> alt.TopLevelMixin:
    """Frequent tokens: how varied their company is, against how much attention an occurrence receives.

    Columns: token, label (the token as people read it), role, entropy, received; entropy_told, received_told and
    breadth_told (as text); rank, count, named (1 for tokens whose name is written, else 0).
    """
    received, scale = "times uniform attention (log axis)", alt.Scale(type="log", nice=False, padding=12)
    base = alt.Chart(DATA)
    points = base.encode(
        x=alt.X(
            "entropy:Q", title="entropy, nats", scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=5, grid=False)
        ),
        y=alt.Y("received:Q", title=received, scale=scale, axis=alt.Axis(tickCount=4, grid=False)),
        tooltip=[
            alt.Tooltip("token:N"),
            alt.Tooltip("role:N"),
            *(alt.Tooltip(f"{name}_{TOLD}:N", title=name) for name in ("entropy", "received", "breadth")),
            alt.Tooltip("rank:Q"),
            alt.Tooltip("count:Q"),
        ],
    )
    uniform = (
        # A single row, for otherwise each token would draw the same line once more.
        base.transform_aggregate(rows="count()")
        .transform_calculate(uniform="1")
        .mark_rule(strokeDash=[5, 4], strokeWidth=1.5, color=alt.ExprRef("muted"))
        .encode(y=alt.Y("uniform:Q", title=received, scale=scale))
    )
    fill = alt.Fill(
        "role:N",
        title=None,
        scale=colour_scale(ROLES),
        legend=alt.Legend(orient="top", columns=legend_columns(5, 3), symbolType="circle", symbolStrokeWidth=0),
    )
    return alt.layer(
        uniform,
        points.mark_point(size=70, opacity=1, strokeWidth=1, stroke=alt.ExprRef("ink")).encode(fill=fill),
        points.transform_filter("datum.named > 0")
        .mark_text(align="left", dx=9, fontSize=12, limit=90, color=alt.ExprRef("ink"))
        .encode(text="label:N"),
        width="container",
        height=360,
    ).add_params(*colour_params())
