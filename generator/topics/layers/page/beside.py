"""What the page of two models shows of the layers of one."""

from collections.abc import Iterator, Mapping
from typing import Any

from generator.numbers.writing import handed_row
from generator.pages.heads.atlas import Atlas
from generator.pages.of_model import OfModel
from generator.topics.layers.derived.courses import courses


class OfLayers(OfModel):
    """The curves of a model over its layers."""

    def data(self) -> Mapping[str, Any]:
        """Name of a curve -> its values, low and high ends, each as one text over layers."""
        return {"courses": dict(_courses(self.atlas))}


def _courses(atlas: Atlas) -> Iterator[tuple[str, list[str]]]:
    if not atlas.drawn_from_layers:
        return
    read = (atlas.results.documents, atlas.results.uniform)
    documents, uniform = (table[table["corpus"] == atlas.corpus] for table in read)
    for name, course in courses(documents, uniform, int(atlas.results.manifest.settings["seed"])).items():
        yield name, [handed_row(part.tolist()) for part in course[:3]]


OF_MODELS = OfLayers
