"""How an encoder made by hand is read: what names heads is measured, by the code that measures it for everybody."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from generator.attention.anatomy import examine
from generator.claims.gate.maps import LEAN, PAIR
from generator.claims.gate.statement import Place, Statement, given
from generator.config import Analysis
from generator.corpora.opening import open_corpora
from generator.models.load import load
from generator.models.names import slug
from generator.models.source import locate
from generator.pages.heads.atlas import Atlas
from generator.results.store import find
from generator.results.writing import write
from generator.studies import measures
from generator.survey.engine import Surveyor
from generator.topics.mentions.compute import antecedents
from generator.topics.relations.compute import relations
from tests.reports import Silence
from tests.results.samples import manifest

STUDIES = tuple(module.PROCEDURE for module in (measures, relations, antecedents))
"""Those whose tables the names of heads are made of."""


def read(model: Path, place: Path, corpora: Sequence[str], **settings: Any) -> Atlas:
    """What an encoder shows on these corpora, beside experiments on it that lie in `place`, arranged for pages."""
    source, asked = locate(str(model)), Analysis(corpora=tuple(corpora), device="cpu", **settings)
    encoder = load(source, torch.device("cpu"))
    anatomy = examine(encoder)
    surveyor = Surveyor(encoder, anatomy, asked, Silence())
    seen = surveyor.survey(open_corpora(asked.corpora, asked.documents, asked.seed), STUDIES)
    of = {"model": source.title, "weights_sha256": source.sha256, "dtype": asked.precision}
    of |= {"corpora": seen.corpora, "vocabulary": seen.vocabulary}
    write(place, manifest(slug(source.title), layers=anatomy.layers, heads=anatomy.heads, **of), seen.tables)
    (results,) = find([place])
    return Atlas(results)


def names(atlas: Atlas) -> Mapping[Place, Statement]:
    """Head -> the name that it has; heads without one are left out, and leans are no names."""
    first = {
        place: next((one for one in given(all_of) if one.kind not in (LEAN, PAIR)), None)
        for place, all_of in atlas.candidates.items()
    }
    return {place: one for place, one in first.items() if one}


def leaning(atlas: Atlas) -> list[Place]:
    """The heads of which less than a name is said: that they lean to a target, or find something all the same."""
    return [place for place, summary in atlas.summaries.items() if summary.leans or summary.aside]
