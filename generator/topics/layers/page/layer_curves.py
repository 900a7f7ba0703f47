"""Curves over layers that are not about attention alone: how much context changes vectors, and what frequency does."""

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, NamedTuple

import pandas as pd

from generator.charts import SERIES_TALL
from generator.charts.naming.signals import evenly, over_layers
from generator.numbers.number import Number
from generator.numbers.quantity import Study
from generator.numbers.writing import pieces
from generator.pages.blocks import Figure, Section, Table, first_title
from generator.pages.figures import embed, estimate_columns
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Link
from generator.pages.links import to_reference, to_term
from generator.pages.studies.tables import of_name, stored
from generator.pages.titles.courses import layers_seen
from generator.results.tables import records
from generator.topics.tokens.records.tokens import NORMS
from generator.topics.vectors.records.contextuality import CONTEXTUALITY


class _Study(NamedTuple):
    """One figure: the rows of `facts` that it shows, and how they are explained."""

    record: Study
    title: str
    reference: tuple[str, str]
    unit: str
    text: str
    views: Mapping[str, tuple[str, str]]
    """Stored name -> name on the page, and entry of the glossary."""
    series: Mapping[str, str]
    """Ending of the stored name -> name of the curve."""
    phrases: Mapping[str, str]
    """Name of a curve -> how the title of a view calls it; the title tells of the first of these that the view has."""
    caption: str


NO_BASELINE = "explained_variance.pca.baseline"
"""A stored name that is not shown: its baseline is that of the centred number, as in the released code."""
CONTEXT = _Study(
    record=CONTEXTUALITY,
    title="How much context changes a vector",
    reference=("ethayarajh2019", "Ethayarajh 2019"),
    unit="cosine, or share of variance",
    text=(
        "The more context changes a vector, the lower are self-similarity and explained variance. Vectors of unrelated "
        "words already point in similar directions, so the number for random words stands beside each number as a "
        "baseline; the adjusted number is what remains when it is subtracted. Explained variance is shown in three "
        "ways, because the paper's code does not compute what its formula says. The first follows the formula and "
        "takes the vectors as they are. The second takes their variance about the mean, along the same direction; so "
        "the code found the 5 % that the paper prints, and the claim is judged by it. The third takes the variance "
        "about the mean along its own first component, as a later version of the code does."
    ),
    views={
        "self_similarity": ("Self-similarity", "self-similarity"),
        "intra_sentence": ("Intra-sentence similarity", "intra-sentence-similarity"),
        "explained_variance": ("Maximum explained variance", "maximum-explained-variance"),
        "explained_variance.centred": ("Explained variance about the mean", "maximum-explained-variance"),
        "explained_variance.pca": ("Explained variance of the first component", "maximum-explained-variance"),
    },
    series={"": "measured", ".adjusted": "adjusted", ".baseline": "random words"},
    phrases={"adjusted": "{}, adjusted,", "measured": "{}, measured,"},
    caption=(
        "Layer 0 is what the first layer reads. n counts word types for self-similarity and explained variance, and "
        "documents for intra-sentence similarity. For random words it counts the words; for maximum explained variance "
        "it counts groups of them, each with as many words as one type has occurrences. Bands are 95 % intervals over "
        "what n counts. From the number of the first component the baseline of the variance about the mean is "
        "subtracted, as in the code."
    ),
)
FREQUENCY = _Study(
    record=NORMS,
    title="What frequency does",
    reference=("kobayashi2020", "Kobayashi et al. 2020"),
    unit="Spearman's correlation",
    text=(
        "Do frequent tokens have short vectors and receive little attention? The curves are Spearman's correlations "
        "over token types of the rank by frequency (1 is the most frequent), with the mean norm of a type's "
        "transformed vector, and with the mean weight that an occurrence receives. Above 0, frequent types have "
        "smaller norms, or receive smaller weights."
    ),
    views={"frequency_": ("Correlation with the rank by frequency", "spearmans-correlation")},
    series={"norm.spearman": "norm of the transformed vector", "weight.spearman": "weight received"},
    phrases={
        "weight received": "The correlation of the weight received with the rank by frequency",
        "norm of the transformed vector": "The correlation of the norm of the transformed vector with the rank by "
        "frequency",
    },
    caption=(
        "n counts documents; bands are 95 % jackknife intervals over documents. Numbers from corpora of different size "
        "cannot be compared, because rare types share their ranks."
    ),
)


def layer_curves(atlas: Atlas, page: str) -> Iterator[Section]:
    """One section for each study that has rows for the corpus that pages show."""
    places = count(1)
    for study in (CONTEXT, FREQUENCY):
        rows = stored(atlas, "facts", corpus=atlas.corpus, study=study.record).sort_values("layer")
        if len(rows):
            text = (f"{study.text} After ", to_reference(*study.reference, page), ".")
            yield Section(f"curves-{next(places)}", study.title, (text, _figure(study, rows, atlas, page)))


def _figure(study: _Study, rows: pd.DataFrame, atlas: Atlas, page: str) -> Figure:
    views, lines, choices = [], [], []
    for start, (text, anchor) in study.views.items():
        names = {start + end: series for end, series in study.series.items() if start + end != NO_BASELINE}
        curves = [of_name(rows, study.record, name).assign(series=series) for name, series in names.items()]
        joined = pd.concat(curves)
        if not len(joined):
            continue
        columns: dict[str, Any] = {name: joined[name].tolist() for name in ("layer", "series", "n")}
        columns |= estimate_columns(map(Number.of, records(joined)))
        constants = {"measure": text, "corpus": atlas.corpus, "unit": study.unit}
        signals = {"caption": study.unit} | over_layers(columns, "series", evenly(columns["layer"]), SERIES_TALL)
        view = {"columns": columns, "signals": signals, "constants": constants}
        views.append({**view, "title": _seen(study, text, joined)})
        choices.append(to_term(anchor, text, page))
        lines += [
            (text, row["series"], str(row["layer"]), *pieces(Number.of(row)), str(row["n"])) for row in records(joined)
        ]
    return Figure(
        id=study.record.name,
        label=first_title(views),
        kinds=("series",),
        data=embed({"shared": {}, "views": views}),
        views=_several(choices),
        chooser="Measure",
        caption=f"{study.caption} Measured on {atlas.text}.",
        table=Table(("measure", "curve", "layer", "value", "95 % interval", "n"), tuple(lines)),
    )


def _seen(study: _Study, text: str, rows: pd.DataFrame) -> str:
    """The title of a view: where the curve that matters most is highest and lowest."""
    series = next(phrase for phrase in study.phrases if (rows["series"] == phrase).any())
    own = rows[rows["series"] == series]
    return layers_seen(study.phrases[series].format(text), {int(row["layer"]): Number.of(row) for row in records(own)})


def _several(choices: list[Link]) -> tuple[Link, ...]:
    """The choices, if there is more than one."""
    return tuple(choices) if len(choices) > 1 else ()
