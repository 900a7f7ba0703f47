"""The same as in `other`, for the claims about learning, which need a curve."""

import pandas as pd

from tests.claims.made import TEXT, Tables, as_stored

NAN = float("nan")
PLACE = {"model": "Tiny", "corpus": TEXT, "layer": 0, "head": 0}


def order(first: float, second: float, spread: float = 0.5, grows: tuple[float, ...] = (0.2, 0.3, 0.1)) -> list[Tables]:
    """H05: doublings between the phases, and by how much each signature grows."""
    names = ("begin", "separator", "punctuation")
    signatures = [
        {"study": "signature", "name": name, "start": 0.1, "end": 0.1 + by, "step": 100.0, "low": 90.0, "high": 200.0}
        for name, by in zip(names, grows, strict=True)
    ]
    between = [
        {"study": "order", "name": name, "step": step, "low": step - spread, "high": step + spread}
        for name, step in (("begin.separator", first), ("separator.punctuation", second))
    ]
    return [as_stored("rises", pd.DataFrame(signatures + between).assign(n=24, **PLACE))]


def at_steps(study: str, spread: float = 0.05, **found: tuple[float, ...]) -> list[Tables]:
    """Rows of `curves`: name -> its values at steps 100, 200, ...; underscores stand for dots."""
    rows = [
        {"study": study, "name": name.replace("_", "."), "step": 100 * at, "value": value}
        for name, values in found.items()
        for at, value in enumerate(values, start=1)
    ]
    table = pd.DataFrame(rows).assign(n=24, **PLACE)
    return [as_stored("curves", table.assign(low=table["value"] - spread, high=table["value"] + spread))]


CASES = {
    "H05": {
        "holds": order(1, 2),
        "fails": order(1, -2),
        "fails, separators first": order(-1, 2),
        "inconclusive": order(0.2, 2),
        "not testable": order(NAN, 2),
        "not testable, a phase never comes": order(1, 2, grows=(0.2, -0.1, 0.3)),
    },
    "H09": {
        "holds": at_steps("types", attention_spearman=(-0.5,)),
        "holds, just": at_steps("types", attention_spearman=(-0.36,)),
        "fails": at_steps("types", attention_spearman=(0.1,)),
        "fails, within noise": at_steps("types", attention_spearman=(-0.24,)),
        "inconclusive": at_steps("types", attention_spearman=(-0.32,)),
        "not testable": at_steps("types", loss_spearman=(-0.5,)),
    },
    "H12": {
        "holds": at_steps("types", loss_spearman=(-0.5,)),
        "holds, just": at_steps("types", loss_spearman=(-0.36,)),
        "fails": at_steps("types", loss_spearman=(0.1,)),
        "fails, within noise": at_steps("types", loss_spearman=(-0.24,)),
        "inconclusive": at_steps("types", loss_spearman=(-0.32,)),
        "not testable": at_steps("types", attention_spearman=(-0.5,)),
    },
    "H16": {
        "holds": at_steps("types", end_loss=(-0.6,), end_gain=(0.3,), end_share=(0.4,)),
        "holds, just": at_steps("types", end_loss=(-0.36,), end_gain=(0.06,), end_share=(0.2,)),
        "fails, known no better": at_steps("types", end_loss=(-0.24,), end_gain=(0.3,), end_share=(0.4,)),
        "fails, as by counting": at_steps("types", end_loss=(-0.9,), end_gain=(-0.06,), end_share=(0.0,)),
        "fails, the share falls, too": at_steps("types", end_loss=(-0.9,), end_gain=(-0.3,), end_share=(-0.1,)),
        "inconclusive": at_steps("types", end_loss=(-0.6,), end_gain=(0.04,), end_share=(0.3,)),
        "inconclusive, the loss": at_steps("types", end_loss=(-0.32,), end_gain=(0.3,), end_share=(0.4,)),
        "inconclusive, the share rises": at_steps("types", end_loss=(-0.6,), end_gain=(-0.3,), end_share=(0.06,)),
        "not testable": at_steps("types", loss_spearman=(-0.5,)),
        "not testable, no curve": at_steps("without next sentence", begin_lead=(0.4, 0.3)),
    },
    "H10": {
        "holds": at_steps("without next sentence", begin_lead=(-0.4, 0.3)),
        "holds, just": at_steps("without next sentence", begin_lead=(-0.4, 0.16)),
        "fails, just": at_steps("without next sentence", begin_lead=(0.4, 0.04)),
        "fails": at_steps("without next sentence", begin_lead=(0.4, -0.3)),
        "inconclusive": at_steps("without next sentence", begin_lead=(0.4, 0.11)),
        "not testable": at_steps("without next sentence", entropy_cls=(0.4, 0.5)),
    },
}
