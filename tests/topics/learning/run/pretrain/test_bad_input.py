"""Text and settings that cannot be trained on are refused in one sentence that says where."""

import gzip
import json
from pathlib import Path

import pytest

from generator.errors import CorpusError, ResultsError, SettingsError
from generator.topics.learning.run.pretrain.data.text import read_split
from generator.topics.learning.run.pretrain.data.vocabulary import SPECIALS, train_vocabulary
from generator.topics.learning.run.pretrain.run import pretrain
from generator.topics.learning.run.pretrain.settings import Pretraining, read_pretraining
from tests.cli.command import fieldguide
from tests.reports import Silence
from tests.topics.learning.run.pretrain.novels import documents, tiny, write

SMALL, OBJECTIVES = (Path(__file__).parents[5] / "data/models" / f"{name}.toml" for name in ("small", "objectives"))


@pytest.fixture
def text(tmp_path):
    return write(tmp_path / "text")


def jsonl(folder, split, items):
    folder.mkdir(exist_ok=True)
    (folder / f"{split}.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")


def one_sentence(error):
    message = str(error.value)
    assert message.startswith("Expected ")
    assert message.endswith(".")
    assert "\n" not in message
    return message


def test_text_without_paragraphs_is_refused(tmp_path):
    jsonl(tmp_path, "train", [{"id": d["id"], "paragraphs": [" ".join(d["paragraphs"])]} for d in documents(5, 0)])
    with pytest.raises(CorpusError) as error:
        read_split(tmp_path, "train")
    assert "train.jsonl" in one_sentence(error)
    assert "paragraphs" in one_sentence(error)


def test_a_single_document_is_refused_for_nothing_could_come_from_another(tmp_path):
    jsonl(tmp_path, "train", documents(1, 0))
    with pytest.raises(CorpusError) as error:
        read_split(tmp_path, "train")
    one_sentence(error)


def test_too_little_text_for_the_vocabulary_is_refused(text, tmp_path):
    with pytest.raises(CorpusError) as error:
        pretrain(tiny(vocabulary=5000), text, tmp_path / "out", Silence())
    assert "5000" in one_sentence(error)


@pytest.mark.parametrize("size", [1, 10])
def test_a_vocabulary_with_no_room_for_the_letters_is_refused(text, tmp_path, size):
    with pytest.raises(CorpusError) as error:
        pretrain(tiny(vocabulary=size), text, tmp_path / "out", Silence())
    assert f" {size} word pieces" in one_sentence(error)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "train.jsonl"),
        ({"train.txt": "A line.\nAnother line.\n" * 50}, "keep the paragraphs of each document apart"),
        ({"train.txt": "# a\n\nOne line.\n\n# b\n\nOne line.\n"}, "keep the paragraphs of each document apart"),
        ({"train.txt": "# a\n\nOne.\n\nTwo.\n\n# b\n\nOne.\n\nTwo.\n"}, "valid.jsonl"),
        ({f"{split}.txt": "# a\n\nOne.\n\nTwo.\n\n# b\n\nOne.\n\nTwo.\n" for split in ("train", "valid")}, "8000"),
    ],
    ids=["no text", "no blank lines", "one paragraph each", "nothing held out", "too little text"],
)
def test_the_command_line_says_in_one_line_what_the_text_lacks(tmp_path, files, said):
    (tmp_path / "text").mkdir()
    for name, content in files.items():
        (tmp_path / "text" / name).write_text(content, encoding="utf-8")
    (tmp_path / "run.toml").write_text("steps = 50\nwarm_up = 5\nrate = 1e-3\ndevice = 'cpu'\n", encoding="utf-8")
    options = ("--config", tmp_path / "run.toml", "--texts", tmp_path / "text", "--out", tmp_path / "out")
    code, printed, errors = fieldguide("pretrain", *options, "--no-analyse")
    assert (code, printed) == (1, "")
    assert errors.splitlines()[-1].startswith("Error: Expected ")
    assert said in errors.splitlines()[-1]
    assert [line for line in errors.splitlines()[:-1] if not line.startswith("Training ")] == []


@pytest.mark.parametrize("changes", [{"held_out": 100_000}, {"batch": 100_000}])
def test_too_little_text_for_the_inputs_is_refused(text, tmp_path, changes):
    with pytest.raises(CorpusError) as error:
        pretrain(tiny(**changes), text, tmp_path / "out", Silence())
    one_sentence(error)


def test_a_missing_file_a_broken_archive_and_a_broken_line_are_named(text):
    (text / "valid.jsonl").unlink()
    with pytest.raises(CorpusError) as error:
        read_split(text, "valid")
    assert str(text) in one_sentence(error)
    (text / "valid.jsonl.gz").write_bytes(gzip.compress(b'{"id": "a"}\n')[:-9])
    with pytest.raises(CorpusError) as error:
        read_split(text, "valid")
    assert str(text / "valid.jsonl.gz") in one_sentence(error)
    (text / "valid.jsonl.gz").write_bytes(gzip.compress(b'{"id": "a", "paragraphs": ["b"]}\n{"id": 3}\n'))
    with pytest.raises(CorpusError) as error:
        read_split(text, "valid")
    assert f"{text / 'valid.jsonl.gz'}, line 2" in one_sentence(error)


def test_another_run_is_not_written_over(text, tmp_path):
    pretrain(tiny(steps=5), text, tmp_path / "out", Silence())
    with pytest.raises(ResultsError) as error:
        pretrain(tiny(steps=6), text, tmp_path / "out", Silence())
    one_sentence(error)
    pretrain(tiny(steps=5, save_seconds=99), text, tmp_path / "out", Silence())


def test_a_state_that_cannot_be_read_is_named(text, tmp_path):
    pretrain(tiny(steps=5), text, tmp_path / "out", Silence())
    (tmp_path / "out/state.pt").write_bytes(b"nothing")
    with pytest.raises(ResultsError) as error:
        pretrain(tiny(steps=5), text, tmp_path / "out", Silence())
    assert "state.pt" in one_sentence(error)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("steps = 0", "steps"),
        ('rate = "fast"', "rate"),
        ("speed = 3", "speed"),
        ("masked = 1.5", "masked"),
        ("heads = 3", "heads"),
        ("warm_up = 99", "warm_up"),
        ("first_checkpoint = 99", "first_checkpoint"),
        ("rate = = 3", "TOML"),
        ("max_tokens = 8", "max_tokens"),
        ("first_steps = -1", "first_steps"),
        ("first_steps = 51", "first_steps"),
        ("first_tokens = 8", "first_tokens"),
        ("first_steps = 5\nfirst_tokens = 999", "first_tokens"),
        ('positions = "rotary"', "positions"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path, line, named):
    values = {"steps": 50, "warm_up": 5, "rate": 0.1}
    key = line.split(" = ")[0]
    rest = "".join(f"{name} = {value}\n" for name, value in values.items() if name != key)
    (tmp_path / "run.toml").write_text(rest + line, encoding="utf-8")
    with pytest.raises(SettingsError) as error:
        read_pretraining(tmp_path / "run.toml")
    assert named in one_sentence(error)
    assert str(tmp_path / "run.toml") in str(error.value)


def test_changes_count_instead_of_the_file_and_are_read_as_toml(tmp_path):
    (tmp_path / "run.toml").write_text("steps = 50\nwarm_up = 5\nrate = 0.1\nmasked = 0.2\n", encoding="utf-8")
    changes = ("masked=0.4", "segments = false", 'optimiser="muon"', "to_mask=0", "steps=60")
    found = read_pretraining(tmp_path / "run.toml", changes)
    assert (found.masked, found.segments, found.optimiser, found.to_mask) == (0.4, False, "muon", 0)
    assert (found.steps, found.rate, read_pretraining(tmp_path / "run.toml").masked) == (60, 0.1, 0.2)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (("speed=3",), "Expected another value of speed in --set, found 3"),
        (("masked=1.5",), "Expected another value of masked in --set, found 1.5"),
        (("masked=true",), "Expected another value of masked in --set, found True"),
        (("steps",), "Expected KEY=VALUE in --set, with the value as TOML, found 'steps'; write steps=0.5"),
        (("=3\nsteps=4",), "found '=3\\nsteps=4'"),
        (("optimiser=muon",), "found 'optimiser=muon'; write optimiser=0.5, or optimiser='\"adamw\"' for a word"),
        (("masked=0.1", "masked=0.2"), "Expected each key once in --set, found masked twice; leave one out."),
        (("to_random=0.5",), "Expected to_mask and to_random of at most 1 together, found 0.8 and 0.5 in"),
    ],
)
def test_a_wrong_change_is_named(tmp_path, changes, said):
    (tmp_path / "run.toml").write_text("steps = 50\nwarm_up = 5\nrate = 0.1\n", encoding="utf-8")
    with pytest.raises(SettingsError) as error:
        read_pretraining(tmp_path / "run.toml", changes)
    assert said in one_sentence(error)
    assert "--set" in str(error.value)


@pytest.mark.parametrize(
    "changes",
    [(), ("to_mask=1.0", "to_random=0.0"), ("to_mask=0.0", "to_random=0.5"), ("masked=0.4",), ("segments=false",)],
)
def test_the_settings_of_the_objectives_are_valid_and_stand_in_their_file(changes):
    found, text = read_pretraining(OBJECTIVES, changes), OBJECTIVES.read_text(encoding="utf-8")
    assert found.kept == [0, found.steps]
    assert "".join(f" --set {change}" for change in changes) in text


def test_the_length_of_first_steps_does_not_matter_where_there_are_none():
    assert tiny(max_tokens=16).first_tokens > 16


def test_the_settings_of_the_small_model_are_valid_and_keep_thirty_models():
    settings = read_pretraining(SMALL)
    assert len(settings.kept) == 30
    assert settings.kept[0] == 0
    assert settings.kept[-1] == settings.steps
    ratios = [after / before for before, after in zip(settings.kept[1:], settings.kept[2:], strict=False)]
    assert max(ratios) / min(ratios) < 1.1


def test_kept_steps_are_distinct_where_the_scale_is_finer_than_a_step():
    assert Pretraining(steps=4, warm_up=0, rate=1, checkpoints=30, first_checkpoint=1).kept == [0, 1, 2, 3, 4]


def test_a_vocabulary_is_the_same_each_time_and_lowercases(text):
    corpus = read_split(text, "train")
    first, again = (train_vocabulary(corpus, 60, 24) for _ in range(2))
    assert first.get_vocab() == again.get_vocab()
    assert first.convert_ids_to_tokens(list(range(5))) == list(SPECIALS)
    assert first.tokenize("THE SEA!") == first.tokenize("the sea!")
    assert "".join(first.tokenize("harbour")).replace("##", "") == "harbour"


def test_the_novels_are_read_with_their_paragraphs(public):
    corpus = read_split(public("text-books"), "valid")
    assert len(corpus.items) == 6
    assert sum(len(document.paragraphs) for document in corpus.items) == 12312
