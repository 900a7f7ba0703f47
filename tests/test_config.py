"""Settings are read from `fieldguide.toml` key by key, and a wrong one is named with its file."""

from pathlib import Path

import pytest

from generator.config import Analysis, ModelChoice, Project, Settings, read_project
from generator.errors import SettingsError
from generator.limits import MIN_TOKENS

WHOLE = """
results = "here"
also = ["there", "/and/there"]

[analysis]
corpora = ["articles", "mine.txt"]
documents = 12
max_tokens = 64
seed = 7
entropy_smoothing = 0.0001
segment_ids = false
device = "cpu"

[[model]]
id = "one/model"
revision = "abc"

[[model]]
id = "./two"
"""


@pytest.fixture
def settings(tmp_path):
    """Reads a text as the settings file of a project."""

    def read(text: str | bytes) -> Project:
        path = tmp_path / "fieldguide.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_project(path)

    return read


def test_every_key_is_read(settings, tmp_path):
    assert settings(WHOLE) == Project(
        tmp_path,
        Settings(
            results=Path("here"),
            also=(Path("there"), Path("/and/there")),
            analysis=Analysis(
                corpora=("articles", "mine.txt"),
                documents=12,
                max_tokens=64,
                seed=7,
                entropy_smoothing=0.0001,
                segment_ids=False,
                device="cpu",
            ),
            model=(ModelChoice("one/model", "abc"), ModelChoice("./two")),
        ),
    )


def test_every_key_has_a_default(settings, tmp_path):
    assert settings("") == Project(tmp_path)
    assert settings("").settings.analysis == Analysis()


def test_results_lie_beside_the_file_unless_they_say_where(settings, tmp_path):
    assert settings(WHOLE).places == (tmp_path / "here", tmp_path / "there", Path("/and/there"))


def test_the_settings_of_this_project_can_be_read():
    project = read_project(Path(__file__).parents[1] / "fieldguide.toml")
    assert project.names == ("all-MiniLM-L6-v2", "medium-bert", "small-bert")


@pytest.mark.parametrize(
    ("text", "where", "key"),
    [
        ("result = 'x'", "fieldguide.toml", "result"),
        ("[analyses]\nseed = 1", "fieldguide.toml", "analyses"),
        ("[analysis]\nmax_token = 1", "[analysis]", "max_token"),
        ("[analysis]\nCorpora = ['x']", "[analysis]", "Corpora"),
        ("[[model]]\nid = 'x'\ntitle = 'y'", "[[model]]", "title"),
        ("[[removed]]\nname = 'X'\nslug = 'x'\nlayers = 1\nheads = 1\ntitle = 'y'", "[[removed]]", "title"),
    ],
)
def test_an_unknown_key_is_refused_with_the_file_the_key_and_the_known_ones(settings, tmp_path, text, where, key):
    message = _refused(settings, text, tmp_path)
    assert where in message
    assert repr(key) in message
    assert "Expected one of" in message


@pytest.mark.parametrize(
    "line",
    [
        "max_tokens = '128'",
        "max_tokens = 64.5",
        "max_tokens = true",
        "documents = '3'",
        "documents = 2.5",
        "documents = true",
        "seed = 'a'",
        "seed = 1.5",
        "seed = true",
        "entropy_smoothing = 'x'",
        "entropy_smoothing = true",
        "segment_ids = 'no'",
        "segment_ids = 0",
        "device = 3",
        "device = ['cpu']",
        "corpora = 'articles'",
        "corpora = [1]",
        "corpora = {a = 1}",
    ],
)
def test_a_value_of_another_type_is_refused_with_its_key(settings, tmp_path, line):
    assert line.split()[0] in _refused(settings, f"[analysis]\n{line}", tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "results = 3",
        "results = ['x']",
        "also = 'data'",
        "also = [3]",
        "also = 3",
        "analysis = 3",
        "model = 'x'",
        "[model]\nid = 'x'",
        "model = ['x']",
        "[[model]]",
        "[[model]]\nid = 3",
        "[[model]]\nid = 'x'\nrevision = 3",
    ],
)
def test_a_value_of_another_type_is_refused_outside_the_analysis_too(settings, tmp_path, text):
    _refused(settings, text, tmp_path)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("corpora = []", "corpora"),
        ("documents = 0", "documents"),
        ("documents = -1", "documents"),
        (f"max_tokens = {MIN_TOKENS - 1}", "max_tokens"),
        ("max_tokens = -5", "max_tokens"),
        ("seed = -1", "seed"),
        ("device = 'tpu'", "device"),
        ("entropy_smoothing = -0.1", "smoothing"),
        ("entropy_smoothing = 1", "smoothing"),
        ("entropy_smoothing = nan", "smoothing"),
        ("entropy_smoothing = inf", "smoothing"),
    ],
)
def test_a_value_out_of_range_is_refused_with_its_name_and_its_file(settings, tmp_path, line, name):
    assert name in _refused(settings, f"[analysis]\n{line}", tmp_path)


def test_the_smallest_values_are_allowed(settings):
    analysis = settings(
        f"[analysis]\ndocuments = 1\nmax_tokens = {MIN_TOKENS}\nseed = 0\nentropy_smoothing = 0"
    ).settings.analysis
    assert (analysis.documents, analysis.max_tokens, analysis.seed) == (1, MIN_TOKENS, 0)


@pytest.mark.parametrize("text", ["results = ", "[analysis", b"results = '\xff'", "a = 1\na = 2"], ids=str)
def test_a_file_that_is_no_toml_is_refused(settings, tmp_path, text):
    assert "TOML" in _refused(settings, text, tmp_path)


def test_a_missing_file_is_refused_with_what_to_do(tmp_path):
    with pytest.raises(SettingsError, match=r"fieldguide\.toml, found none; run this in the project's folder"):
        read_project(tmp_path / "fieldguide.toml")


def test_a_folder_is_no_settings_file(tmp_path):
    with pytest.raises(SettingsError, match="Expected the settings file"):
        read_project(tmp_path)


def test_settings_cannot_be_changed_after_they_were_checked():
    with pytest.raises(AttributeError):
        Analysis().seed = 3


def _refused(settings, text, tmp_path):
    with pytest.raises(SettingsError) as refusal:
        settings(text)
    message = str(refusal.value)
    assert message.startswith("Expected")
    assert str(tmp_path / "fieldguide.toml") in message
    return message
