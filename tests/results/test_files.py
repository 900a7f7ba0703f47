"""Folders of one model are published under names of their own."""

from dataclasses import replace

from generator.corpora.treebank import TREEBANK
from generator.results.files import folders
from generator.results.manifest import CorpusRecord
from generator.results.store import Results


def test_folders_of_one_model_have_names_of_their_own(plain):
    whole = Results.open(plain)
    further = CorpusRecord("My Trees", TREEBANK, "", counts={"words": 1})
    manifests = replace(whole.manifest, corpora=(further,)), replace(whole.manifest, experiment="curve")
    joined = replace(whole, more=tuple(replace(whole, manifest=manifest) for manifest in manifests))
    assert [folder.name for folder in folders(joined)] == ["tiny-bert", "tiny-bert@my_trees", "tiny-bert@curve"]
    assert all({"heads", "documents"} <= {table.name for table in folder.tables} for folder in folders(joined))
