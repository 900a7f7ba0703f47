"""Attention sinks: one token that collects attention whatever the query (Xiao et al. 2023, appendix H)."""

from generator.measures.measure import Measure, ratio

SINK = Measure(
    name="sink.mass",
    title="Attention to the sink",
    definition="Mean over query tokens of the attention to the one position that receives most.",
    formula="max_j (1/n) sum_i A[i, j]",
    reference="1/n",
    source="After Xiao et al. 2023, appendix H; the measure is ours",
    unit="share",
    range="0 to 1",
    compute=lambda p, c: ratio(p.sink, c.tokens),
    caveats=(
        "The position is chosen per document and head; which token it is stands beside the number on a head's page.",
        "A maximum over positions is never below 1/n, and above it unless all tokens receive the same.",
    ),
)
