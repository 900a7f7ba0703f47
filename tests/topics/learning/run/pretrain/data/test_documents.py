"""Several folders of text are one text, and the run says which files it was."""

import json

import pytest

from generator.errors import CorpusError, ResultsError
from generator.topics.learning.run.pretrain.data.text import read_split
from generator.topics.learning.run.pretrain.run import pretrain
from tests.reports import Silence
from tests.topics.learning.run.pretrain.novels import documents, same, tiny, write


@pytest.fixture
def folders(tmp_path):
    """One with both texts, and one with further text to train on alone."""
    more = tmp_path / "more"
    more.mkdir()
    (more / "train.jsonl").write_text("".join(json.dumps(d) + "\n" for d in documents(3, 7)), encoding="utf-8")
    return [write(tmp_path / "text"), more]


def test_the_documents_of_all_folders_are_read_in_their_order(folders):
    parts = [read_split(folder, "train") for folder in folders]
    whole = read_split(folders, "train")
    assert whole.items == parts[0].items + parts[1].items
    assert whole.sha256.split() == [part.sha256 for part in parts]
    assert read_split(folders, "valid") == read_split(folders[0], "valid")


def test_a_run_records_the_checksum_of_every_file_and_goes_on_with_the_same_ones_alone(folders, tmp_path):
    out = tmp_path / "out"
    pretrain(tiny(steps=5), folders, out, Silence())
    text = json.loads((out / "run.json").read_text())["text"]
    assert text["train"].split() == [read_split(folder, "train").sha256 for folder in folders]
    assert len(text["valid"].split()) == 1
    with pytest.raises(ResultsError):
        pretrain(tiny(steps=5), folders[0], out, Silence())
    pretrain(tiny(steps=5), folders, out, Silence())


def test_one_folder_in_a_list_is_that_folder(folders, tmp_path):
    pretrain(tiny(steps=5), folders[0], tmp_path / "alone", Silence())
    pretrain(tiny(steps=5), folders[:1], tmp_path / "listed", Silence())
    same(tmp_path / "alone", tmp_path / "listed")


def test_text_that_is_nowhere_or_there_twice_is_refused(folders):
    with pytest.raises(CorpusError, match=r"^Expected one of .*valid.* in .*more, .*found none"):
        read_split([folders[1], folders[1].parent], "valid")
    with pytest.raises(CorpusError, match=r"^Expected another text in each folder, found that of .*train.* twice"):
        read_split([folders[0], folders[0]], "train")
