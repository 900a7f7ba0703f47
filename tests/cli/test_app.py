"""The command does what its help says: results on stdout, everything else on stderr, an exit code for how it went."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import click
import pyarrow.parquet as pq
import pytest

from generator.cli.app import app
from generator.cli.ending import SHOW
from generator.corpora.files import TEXT
from generator.models.catalogue import CATALOGUE
from generator.results.store import Results
from tests.cli.command import ROOT, Outcome, fieldguide, write_corpus
from tests.encoders import POSITIONS, SENTENCES
from tests.limits import SECONDS


@pytest.fixture
def corpus(tmp_path):
    """Twelve short documents: each fits into one input whole."""
    return write_corpus(tmp_path / "twelve.txt", 12)


@pytest.fixture
def analyze(checkpoint, corpus, tmp_path):
    """Measures the tiny BERT, without studies; the results and what was said."""

    def run(name: str, *words: object, text: Path = corpus) -> tuple[Path, Outcome]:
        place = "--results", tmp_path / name
        outcome = fieldguide("analyze", checkpoint("bert"), "--no-studies", "--corpus", text, *place, *words)
        assert outcome.exit == 0, outcome.err
        return tmp_path / name / "bert", outcome

    return run


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["analyse"],
        ["analyze"],
        ["analyze", "a", "b"],
        ["analyze", "a", "--unknown"],
        ["analyze", "a", "--documents", "0"],
        ["analyze", "a", "--documents", "few"],
        ["analyze", "a", "--max-tokens", "15"],
        ["analyze", "a", "--seed", "1.5"],
        ["analyze", "a", "--seed", "-1"],
        ["analyze", "a", "--device", "tpu"],
        ["analyze", "a", "--entropy-smoothing", "-1"],
        ["build", "now"],
        ["serve", "--port", "0"],
    ],
    ids=" ".join,
)
def test_wrong_usage_ends_with_2_and_a_hint_on_stderr(words):
    outcome = fieldguide(*words)
    assert (outcome.exit, outcome.out) == (2, "")
    assert outcome.err.startswith("Usage: ")


def test_a_command_that_its_user_stops_ends_as_shells_expect(monkeypatch):
    """With 128 and the number of the signal, and without a word."""

    def stop() -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # shells let what runs in the background ignore it
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setitem(app.commands, "stop", click.Command("stop", callback=stop))
    outcome = fieldguide("stop")
    assert (outcome.exit, outcome.out, outcome.err.strip()) == (130, "", "")


def test_models_are_listed_on_stdout_one_a_line():
    outcome = fieldguide("models")
    assert (outcome.exit, outcome.err) == (0, "")
    assert [line.split()[0] for line in outcome.out.splitlines()] == [known.id for known in CATALOGUE]


def test_the_doctor_reports_on_stdout_and_ends_with_1_when_a_check_failed(tmp_path):
    outcome = fieldguide("doctor", "--config", tmp_path / "nowhere.toml")
    assert outcome.exit == 1
    assert {line[:6] for line in outcome.out.splitlines()} == {"ok    ", "FAIL  "}
    assert outcome.err.startswith("Error: ")
    assert len(outcome.err.splitlines()) == 1


def test_a_run_from_the_shell_prints_the_folder_on_stdout_and_the_next_step_on_stderr(checkpoint, corpus, tmp_path):
    places = ["--corpus", str(corpus), "--results", str(tmp_path / "r")]
    words = ["analyze", str(checkpoint("bert")), "--no-studies", *places]
    done = subprocess.run(
        [sys.executable, "-m", "generator", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, f"{tmp_path / 'r' / 'bert'}\n")
    assert done.stderr == f"Next: {SHOW}\n"
    assert Results.open(tmp_path / "r" / "bert").manifest.model == "bert"


def test_several_corpora_are_kept_apart_in_the_order_of_the_options(analyze, tmp_path):
    second = tmp_path / "a.jsonl"
    second.write_text("\n".join(json.dumps({"id": f"d{n}", "paragraphs": SENTENCES[:2]}) for n in range(10)))
    folder, _ = analyze("r", "--corpus", second)
    results = Results.open(folder)
    assert list(results.manifest.of(TEXT)) == ["twelve.txt", "a.jsonl"]
    assert results.documents.groupby("corpus")["document"].nunique().to_dict() == {"twelve.txt": 12, "a.jsonl": 10}
    assert results.heads.groupby("corpus")["n"].max().to_dict() == {"twelve.txt": 12, "a.jsonl": 10}
    assert [counts["documents"] for counts in results.manifest.counts.values()] == [12, 10]


def test_a_sample_is_read_when_asked_for_and_too_few_documents_are_a_warning(analyze):
    folder, outcome = analyze("r", "--documents", 5)
    results = Results.open(folder)
    assert results.documents["document"].nunique() == results.heads["n"].max() == 5
    assert results.manifest.settings["documents"] == 5
    assert "Warning: Usable documents of twelve.txt: 5;" in outcome.err


def test_ten_documents_are_enough_for_no_warning(analyze):
    assert "Warning" not in analyze("r", "--documents", 10)[1].err


def test_documents_longer_than_the_model_reads_are_split_and_both_is_said(analyze, tmp_path):
    text = write_corpus(tmp_path / "long.txt", 10, paragraphs=10)
    folder, outcome = analyze("r", "--max-tokens", 100_000, text=text)
    assert f"reads at most {POSITIONS} tokens, not 100000" in outcome.err
    assert "Documents of long.txt read in several parts: 10 of 10." in outcome.err
    inputs = pq.read_table(folder / "inputs.parquet").to_pandas()
    assert inputs["input_ids"].map(len).max() <= POSITIONS
    assert inputs.groupby("document")["part"].max().min() > 1
    assert Results.open(folder).heads["n"].max() == 10


def test_no_input_is_longer_than_asked_for(analyze, tmp_path):
    text = write_corpus(tmp_path / "long.txt", 10, paragraphs=10)
    folder, _ = analyze("r", "--max-tokens", 32, text=text)
    assert max(map(len, pq.read_table(folder / "inputs.parquet")["input_ids"].to_pylist())) <= 32


def test_the_seed_moves_only_intervals_where_there_is_nothing_to_draw(analyze):
    """Two paragraphs that fit leave no choice of documents, of boundaries or of tokens."""
    one, other = analyze("one", "--seed", 1)[0], analyze("other", "--seed", 2)[0]
    for name in ("documents", "uniform", "inputs", "examples"):
        assert (one / f"{name}.parquet").read_bytes() == (other / f"{name}.parquet").read_bytes()
    heads, moved = Results.open(one).heads, Results.open(other).heads
    assert heads.drop(columns=["low", "high"]).equals(moved.drop(columns=["low", "high"]))
    assert not heads["low"].equals(moved["low"])


def test_the_seed_draws_other_documents_that_measure_the_same(analyze):
    every = Results.open(analyze("all")[0]).documents.set_index(["document", "layer", "head"])
    samples = [Results.open(analyze(f"s{seed}", "--documents", 6, "--seed", seed)[0]).documents for seed in (1, 2)]
    assert set(samples[0]["document"]) != set(samples[1]["document"])
    for sample in (one.set_index(["document", "layer", "head"])["attention.self"] for one in samples):
        assert (sample - every.loc[sample.index, "attention.self"]).abs().max() < 1e-6


@pytest.mark.parametrize(
    ("words", "setting", "changed"),
    [
        (["--no-segment-ids"], "segment_ids", "attention.self"),
        (["--entropy-smoothing", "0.1"], "entropy_smoothing", "entropy.all"),
    ],
)
def test_an_option_of_the_published_code_changes_its_numbers_and_is_recorded(analyze, words, setting, changed):
    plain, other = Results.open(analyze("plain")[0]), Results.open(analyze("other", *words)[0])
    assert plain.manifest.settings[setting] != other.manifest.settings[setting]
    assert not plain.documents[changed].equals(other.documents[changed])


def test_what_is_up_to_date_is_not_computed_again_unless_that_is_asked_for(analyze):
    folder, first = analyze("r")
    written = (folder / "documents.parquet").stat().st_mtime_ns
    again, second = analyze("r")
    assert (again, (folder / "documents.parquet").stat().st_mtime_ns) == (folder, written)
    assert "up to date" in second.err
    assert "up to date" not in first.err
    analyze("r", "--force")
    assert (folder / "documents.parquet").stat().st_mtime_ns > written


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_output_that_does_not_fit_on_the_disk_ends_in_one_line():
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "generator", "models"]
        ended = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.startswith("Error: Expected to write ")
    assert len(ended.stderr.splitlines()) == 1
