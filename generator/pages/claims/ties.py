"""Which pages and published numbers belong beside a claim: what the records of claims do not say by themselves."""

from collections.abc import Mapping
from types import MappingProxyType

COMPARABLE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "C04": ("clark.sep.middle",),
        "C07": ("clark.sep.to_sep",),
        "C12": ("clark.words.split",),
        "C13": ("clark.table1.all.accuracy",),
        "C14": ("clark.table1.dobj.accuracy",),
        "C15": ("clark.table1.det.accuracy",),
        "C16": ("clark.table1.pobj.accuracy",),
        "C17": ("clark.table1.poss.accuracy",),
        "C18": ("clark.table1.auxpass.accuracy", "clark.notebook.auxpass.accuracy"),
        "C20": ("clark.directions.printed", "clark.directions.notebook"),
        "C21": ("clark.table2.head.all",),
        "C22": ("clark.table3.attention",),
        "K03": ("kovaleva.blog.vertical",),
        "R01": ("kobayashi.spearman.norm",),
        "R05": ("ethayarajh.explained_variance.mean",),
        "Q05": ("s002.vocabulary.claimed", "bert.vocabulary.uncased", "bert.vocabulary.cased"),
    }
)
"""Published numbers that measure what the claim's first part measures, so that both fit on one axis.

The other published numbers of a claim are of another kind, such as a curve beside a difference of its ends.
"""

MEASURED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "C01": ("attention.self",),
        "C02": ("attention.previous",),
        "C03": ("attention.next",),
        "C04": ("attention.sep",),
        "C05": ("attention.cls",),
        "C06": ("attention.punctuation",),
        "C07": ("attention.sep_to_sep",),
        "C10": ("entropy.all", "attention.max"),
        "C11": ("entropy.cls", "entropy.all"),
        "K01": ("pattern",),
        "K03": ("attention.cls", "attention.sep"),
        "K10": ("attention.cls", "attention.sep"),
        "K13": ("attention.previous", "attention.next"),
        "R01": ("norm.cls", "norm.sep", "attention.cls", "attention.sep"),
    }
)
"""The measures whose columns a claim is computed from; the others are computed from studies."""
