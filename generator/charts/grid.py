"""The layer x head grid of a model, and its curves over layers; both switch between measures."""

import altair as alt

from generator.charts import HEADS_TALL
from generator.charts.naming.places import AWAY
from generator.charts.parts import DATA, INTERVAL, colour_params


def grid() -> alt.TopLevelMixin:
    """One cell per head, coloured by the chosen measure, linking to the head's page.

    Columns: layer, head, value, low, high, told, summary, href. Signals: top (end of the measure's range).
    """
    return (
        alt.Chart(DATA, width="container", height=alt.Step(28))
        .mark_rect(cursor="pointer", stroke=alt.ExprRef("page"), strokeWidth=2, cornerRadius=3)
        .encode(
            x=alt.X("head:O", title="head", axis=alt.Axis(orient="top", labelAngle=0, domain=False, ticks=False)),
            y=alt.Y("layer:O", title="layer", axis=alt.Axis(domain=False, ticks=False)),
            color=alt.Color(
                "value:Q",
                title=None,
                scale=alt.Scale(domain=[0, alt.ExprRef("top")], range="heatmap", clamp=True),
                legend=alt.Legend(orient="bottom", gradientLength=220, gradientThickness=10),
            ),
            href="href:N",
            tooltip=[alt.Tooltip("layer:O"), alt.Tooltip("head:O"), INTERVAL, alt.Tooltip("summary:N")],
        )
        .add_params(*colour_params(), alt.param(name="top", value=1))
    )


def curves() -> alt.TopLevelMixin:
    """Every head as a point, the mean of a layer as a line with its interval, uniform attention as a dashed line.

    Columns as for `grid`, and layer_value, layer_low, layer_high. Signals: top, uniform, named (head -> the side of its
    point on which its name stands: 1 is right, -1 is left).
    """
    x = alt.X("layer:O", title="layer", axis=alt.Axis(labelAngle=0))
    y_scale = alt.Scale(domain=[0, alt.ExprRef("top")], clamp=True)
    base = alt.Chart(DATA)
    heads = base.mark_point(filled=True, size=40, opacity=0.45, cursor="pointer", color=alt.ExprRef("accent")).encode(
        x=x,
        y=alt.Y("value:Q", title=None, scale=y_scale),
        href="href:N",
        tooltip=[alt.Tooltip("layer:O"), alt.Tooltip("head:O"), INTERVAL],
    )
    # Each head's row repeats the numbers of its layer, so the mean over heads only takes one of them.
    layers = base.transform_aggregate(
        groupby=["layer"], mean="mean(layer_value)", low="mean(layer_low)", high="mean(layer_high)"
    )
    mean = layers.mark_line(strokeWidth=2.5, color=alt.ExprRef("accent")).encode(
        x=x, y=alt.Y("mean:Q", title=None, scale=y_scale)
    )
    band = layers.mark_area(opacity=0.25, color=alt.ExprRef("accent")).encode(
        x=x, y=alt.Y("low:Q", title=None, scale=y_scale), y2="high:Q"
    )
    uniform = (
        base.transform_aggregate(groupby=["layer"])
        # A channel reads columns alone, so the signal becomes one.
        .transform_calculate(uniform="uniform")
        .mark_line(strokeDash=[5, 4], strokeWidth=1.5, color=alt.ExprRef("muted"))
        .encode(x=x, y=alt.Y("uniform:Q", title=None, scale=y_scale))
    )
    names = (
        base.transform_calculate(name="datum.layer + '-' + datum.head")
        .transform_filter("named[datum.name]")
        .mark_text(
            align=alt.ExprRef("named[datum.name] > 0 ? 'left' : 'right'"),
            dx=alt.ExprRef(f"named[datum.name] * {AWAY}"),
            fontSize=12,
            color=alt.ExprRef("ink"),
            aria=False,
        )
        .encode(x=x, y=alt.Y("value:Q", title=None, scale=y_scale), text="name:N")
    )
    found = {"top": 1, "uniform": 0, "named": {}}
    return alt.layer(band, uniform, mean, heads, names, width="container", height=HEADS_TALL).add_params(
        *colour_params(), *(alt.param(name=name, value=value) for name, value in found.items())
    )
