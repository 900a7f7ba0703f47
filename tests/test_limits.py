"""Input that is far too large, deep or long, or no text, is one sentence, and none of it takes long."""

import gzip
import io
import json
import sys
import tarfile
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from generator.analysis import read_maps
from generator.config import read_project
from generator.corpora.formats.raw import unpacked
from generator.corpora.opening import open_corpora
from generator.errors import CorpusError, ModelError, SettingsError
from generator.limits import LONGEST, MOST_SEED, MOST_UNPACKED
from generator.models.source import locate
from generator.topics.frames.corpus.framenet import _files as frame_files
from generator.topics.learning.run.curve.checkpoints import read_checkpoints
from generator.topics.learning.run.pretrain.settings import read_pretraining
from tests.attention.archives import TOKENS, saved
from tests.cli.command import fieldguide, write_corpus
from tests.measures.maps import identity

DIGITS = "9" * 5000
DEEP = 100_000
SOON = 2.0
"""Seconds of the processor; what is quadratic takes many times as long."""


def chain(words: int) -> str:
    """A sentence whose every word depends on the next one."""
    rows = (f"{at}\tx\t_\tNOUN\t_\t_\t{at % words + (at < words)}\tdep\t_\t_" for at in range(1, words + 1))
    return "\n".join(rows) + "\n\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("trees.conllu", chain(20_000)),
        ("text.txt", "# a" + " " * 300_000 + "x\none\n\ntwo\n"),
        ("blanks.txt", ("#" + " " * 100_000 + "\none\n\ntwo\n\n") * 3),
        ("lines.txt", "one\n\ntwo\n" + " \n" * 100_000 + "three"),
    ],
)
def test_a_reader_takes_time_in_proportion_to_its_file(tmp_path: Path, name: str, text: str):
    (tmp_path / name).write_text(text)
    started = time.process_time()
    (corpus,) = open_corpora([str(tmp_path / name)]).all
    assert time.process_time() - started < SOON
    assert len(corpus.items) > 0


def test_a_long_cycle_is_still_found(tmp_path: Path):
    rows = chain(500).strip().split("\n")
    rows[0], rows[-1] = rows[0].replace("\t2\tdep", "\t0\troot"), rows[-1].replace("\t0\tdep", "\t400\tdep")
    (tmp_path / "trees.conllu").write_text("\n".join(rows) + "\n\n")
    with pytest.raises(CorpusError, match=r"found a cycle through .*, line 2; correct the heads"):
        open_corpora([str(tmp_path / "trees.conllu")])


def archive(path: Path, shape: tuple[int, ...], held: int, kind: str = "<f4") -> Path:
    """A `.npz` with an array that says it has that shape and holds so many zero bytes."""
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(head, {"shape": shape, "fortran_order": False, "descr": kind})
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file, file.open("a.npy", "w", force_zip64=True) as entry:
        entry.write(head.getvalue())
        for _ in range(held >> 20):
            entry.write(bytes(1 << 20))
    return path


@pytest.mark.parametrize(
    ("shape", "held", "says"),
    [
        ((1, 1, 8192, 8192), MOST_UNPACKED + (1 << 20), f"more than {MOST_UNPACKED >> 20} MiB packed into"),
        ((1, 1, 1 << 20, 1 << 20), 0, "a.npy says it is larger than it is"),
    ],
)
def test_maps_that_declare_more_than_they_hold_are_refused_before_they_are_unpacked(tmp_path, shape, held, says):
    path = archive(tmp_path / "maps.npz", shape, held)
    assert path.stat().st_size < 1 << 20
    with pytest.raises(CorpusError, match=f"Expected a .npz archive of maps at {path}, found: {says}"):
        read_maps(path)


@pytest.mark.parametrize("kind", ["<U0", "|S0", "|V0"])
def test_maps_whose_items_have_no_size_are_refused_before_they_are_counted(tmp_path: Path, kind: str):
    path = archive(tmp_path / "maps.npz", (10**11,), 0, kind)
    refused(path, "a.npy says that its items have no size")


@pytest.mark.parametrize("names", [["large.bin"], ["large"], ["a.npy", "b.bin"], ["a.npy", "large.npy"]], ids=str)
def test_every_member_of_saved_maps_counts_whatever_it_is_called(tmp_path: Path, names: list[str]):
    with zipfile.ZipFile(tmp_path / "maps.npz", "w", zipfile.ZIP_DEFLATED) as file:
        for name in names:
            file.writestr(name, bytes(MOST_UNPACKED // len(names) + 1))
    before = tracemalloc_peak(lambda: refused(tmp_path / "maps.npz", f"more than {MOST_UNPACKED >> 20} MiB packed"))
    assert before < MOST_UNPACKED


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("names", [("a.npy", "a.npy"), ("a", "a.npy")])
def test_a_member_that_comes_twice_is_refused(tmp_path: Path, names: tuple[str, str]):
    with zipfile.ZipFile(tmp_path / "maps.npz", "w") as file:
        for name in names:
            file.writestr(name, b"x")
    refused(tmp_path / "maps.npz", "'a' twice")


def refused(path: Path, says: str) -> None:
    with pytest.raises(CorpusError, match=f"Expected a .npz archive of maps at {path}, found: {says}"):
        read_maps(path)


def tracemalloc_peak(act: Callable[[], None]) -> int:
    """Bytes that Python held at most meanwhile."""
    tracemalloc.start()
    act()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def sparse(path: Path, size: int, name: str = "fulltext/a.xml") -> Path:
    """A tar file of a member that says it has so many bytes, none of which are there."""
    info = tarfile.TarInfo(name)
    info.pax_headers = {"GNU.sparse.major": "0", "GNU.sparse.minor": "1", "GNU.sparse.size": str(size)}
    info.pax_headers |= {"GNU.sparse.numblocks": "0", "GNU.sparse.map": "0,0", "GNU.sparse.name": name}
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(info)
    return path


@pytest.mark.parametrize("name", ["fulltext/a.xml", "fulltext/a.bin"])
def test_a_packed_release_that_says_it_is_far_too_large_is_refused(tmp_path: Path, name: str):
    path = sparse(tmp_path / "fn.tar", 3 << 30, name)
    assert path.stat().st_size < 1 << 16

    def act() -> None:
        with pytest.raises(CorpusError, match=rf"Expected FrameNet at {path}, found: more than \d+ MiB packed into"):
            open_corpora([str(path)])

    assert tracemalloc_peak(act) < MOST_UNPACKED


def headed(path: Path, kind: bytes, size: int, name: str = "a") -> Path:
    """A gzipped tar file whose first member is of this type and holds so many zero bytes."""
    info = tarfile.TarInfo(name)
    info.type, info.size = kind, size
    with gzip.open(path, "wb") as file:
        file.write(info.tobuf(tarfile.GNU_FORMAT))
        for _ in range(size >> 20):
            file.write(bytes(1 << 20))
    return path


@pytest.mark.parametrize("kind", [b"L", b"K", b"x", b"g", b"Z"], ids=bytes.decode)
def test_a_header_of_a_packed_release_counts_as_what_is_unpacked(tmp_path: Path, kind: bytes):
    """A long name, a long link, what pax adds to one member or all, and a type that nobody knows."""
    path = headed(tmp_path / "fn.tar.gz", kind, MOST_UNPACKED * 3)

    def act() -> None:
        with pytest.raises(CorpusError, match=rf"Expected FrameNet at {path}, found: more than 64 MiB packed into"):
            open_corpora([str(path)])

    assert tracemalloc_peak(act) < MOST_UNPACKED * 1.5


def test_headers_within_headers_are_one_sentence(tmp_path: Path):
    info = tarfile.TarInfo("a")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 1
    with gzip.open(tmp_path / "fn.tar.gz", "wb") as file:
        file.write((info.tobuf(tarfile.GNU_FORMAT) + b"a".ljust(512, b"\0")) * 5000)
    with pytest.raises(CorpusError, match=r"Expected FrameNet at .*, found: maximum recursion depth exceeded.*; check"):
        list(frame_files(tmp_path / "fn.tar.gz"))


@pytest.mark.parametrize("names", [("frame/a.xml", "frame/a.xml"), ("frame/a.xml", "./frame//a.xml")], ids=str)
def test_a_member_of_a_packed_release_that_comes_twice_is_refused(tmp_path: Path, names: tuple[str, str]):
    with tarfile.open(tmp_path / "fn.tar", "w") as archive:
        for name in names:
            archive.addfile(tarfile.TarInfo(name))
    with pytest.raises(CorpusError, match=r"found: 'frame/a\.xml' twice"):
        list(frame_files(tmp_path / "fn.tar"))


@pytest.mark.parametrize("name", ["trees.conllu.gz", "frames.conllu.gz"])
def test_packed_text_that_holds_far_too_much_is_refused(tmp_path: Path, name: str):
    first = b"1\tx\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n" if name.startswith("trees") else b"1\tx\t_\tNOUN\tx\tx.01\tV\n\n"
    (tmp_path / name).write_bytes(gzip.compress(first + b"\n" * (MOST_UNPACKED + 1)))
    with pytest.raises(CorpusError, match=f"found: more than {MOST_UNPACKED >> 20} MiB packed into"):
        open_corpora([str(tmp_path / name)])


def test_what_is_packed_as_files_are_is_read_whole(tmp_path: Path):
    text = "".join(f"line {number}\n" for number in range(50_000)).encode()
    (tmp_path / "x.gz").write_bytes(gzip.compress(text) + gzip.compress(b"more"))
    assert unpacked(tmp_path / "x.gz") == text + b"more"


@pytest.mark.parametrize("head", [DIGITS, "1" * 10])
def test_a_head_of_thousands_of_digits_is_refused(tmp_path: Path, head: str):
    (tmp_path / "trees.conllu").write_text(f"1\tx\t_\tNOUN\t_\t_\t{head}\troot\t_\t_\n\n")
    with pytest.raises(CorpusError, match=f"Expected a number as head in .*, line 1, found '{head[:40]}'; annotate"):
        open_corpora([str(tmp_path / "trees.conllu")])


@pytest.mark.parametrize("text", [f"seed = {DIGITS}", "x = " + "[" * DEEP, "x = 1e"])
@pytest.mark.parametrize("read", [read_project, read_pretraining])
def test_settings_that_cannot_be_parsed_are_one_sentence(tmp_path: Path, text: str, read):
    (tmp_path / "x.toml").write_text(text)
    with pytest.raises(SettingsError, match=r"^Expected TOML in .*x\.toml, found an error: ") as refusal:
        read(tmp_path / "x.toml")
    assert len(str(refusal.value)) < 300 + len(str(tmp_path))


@pytest.mark.parametrize("text", ["[" * DEEP, f'{{"num_hidden_layers": {DIGITS}}}'])
def test_a_configuration_that_cannot_be_parsed_is_one_sentence(tmp_path: Path, text: str):
    (tmp_path / "config.json").write_text(text)
    with pytest.raises(ModelError, match=r"Expected JSON in .*config.json, found something else \(.*\); save the"):
        locate(str(tmp_path))


def test_lines_of_json_that_are_nested_too_deeply_are_one_sentence(tmp_path: Path):
    (tmp_path / "x.jsonl").write_text('{"id": ' + "[" * DEEP + "\n")
    with pytest.raises(CorpusError, match=r"line 1, found something else \(.*\); correct the line"):
        open_corpora([str(tmp_path / "x.jsonl")])


def test_a_step_of_thousands_of_digits_is_refused(tmp_path: Path):
    (tmp_path / "list.txt").write_text(f"{DIGITS} model\n")
    with pytest.raises(ModelError, match="Expected a step, a model and perhaps a revision in line 1"):
        read_checkpoints(tmp_path / "list.txt")


def test_a_folder_in_the_place_of_the_weights_is_one_sentence(checkpoint, tmp_path: Path):
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "bert"}))
    (tmp_path / "model.safetensors").mkdir()
    with pytest.raises(ModelError, match=r"Expected safetensors weights in .*, found a folder in place of the file; "):
        locate(str(tmp_path))


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ('results = "a\\u0000b"', r"without NUL in .*fieldguide.toml, found 'a\\x00b'; rename it"),
        (
            f'results = "{"a" * (LONGEST + 1)}"',
            "at most 4096 characters in .*, found one of 4097 that begins",
        ),
        ('[analysis]\ncorpora = ["a\\u0000.txt"]', "without NUL in .*fieldguide.toml"),
        ('[[model]]\nid = "a\\u0000"', "without NUL in .*fieldguide.toml"),
    ],
)
def test_names_in_settings_that_no_file_can_have_are_refused(tmp_path: Path, key: str, says: str):
    (tmp_path / "fieldguide.toml").write_text(key + "\n")
    with pytest.raises(SettingsError, match=says):
        read_project(tmp_path / "fieldguide.toml")


@pytest.mark.parametrize(
    ("word", "says"),
    [
        (
            "m" * 5000,
            "Expected texts of at most 4096 characters in the options, found one of 5000 that",
        ),
        ("caf\udce9", "Expected text in UTF-8 without NUL in the options, found 'caf\\udce9'; rename it."),
        ("a\0b", "Expected text in UTF-8 without NUL in the options, found 'a\\x00b'; rename it."),
    ],
    ids=["long", "not UTF-8", "NUL"],
)
@pytest.mark.parametrize(
    "command",
    [("analyze",), ("analyze", "x", "--corpus"), ("claims", "--model"), ("compare", "x", "y", "--name"), ("curve",)],
    ids=" ".join,
)
def test_options_that_no_file_can_be_called_are_refused(command: tuple[str, ...], word: str, says: str):
    outcome = fieldguide(*command, word)
    assert (outcome.exit, outcome.out) == (1, "")
    assert outcome.err.startswith(f"Error: {says}")
    assert len(outcome.err.splitlines()) == 1
    outcome.err.encode()


@pytest.mark.parametrize("seed", [MOST_SEED + 1, 2**64, -1])
@pytest.mark.parametrize(
    "command",
    [("analyze", "x"), ("disable", "x"), ("compare", "x", "y"), ("curve", "x"), ("wordloss", "x", "y.txt")],
    ids=lambda words: words[0],
)
def test_a_seed_that_no_library_takes_is_refused(command: tuple[str, ...], seed: int):
    outcome = fieldguide(*command, "--seed", seed)
    assert (outcome.exit, outcome.out) == (2, "")
    assert "--seed" in outcome.err
    assert f"{seed} is not in the range 0<=x<={MOST_SEED}" in outcome.err


def test_a_name_that_is_too_long_for_a_folder_is_one_sentence_before_anything_is_computed(tmp_path: Path):
    maps = saved(tmp_path / "maps.npz", {"a": (identity(3)[None, None], TOKENS)})
    outcome = fieldguide("analyze", "--maps", maps, "--name", "m" * 300, "--results", tmp_path / "results")
    assert outcome.exit == 1
    assert outcome.err.endswith("found: File name too long; choose another folder.\n")
    write_corpus(tmp_path / "a.txt", 2)
    with pytest.raises(CorpusError, match="found: File name too long; check the path"):
        open_corpora(["a" * 300 + ".txt"])


def test_the_greatest_seed_is_taken(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["fieldguide"])
    outcome = fieldguide("analyze", "no/such/model", "--seed", MOST_SEED)
    assert "Expected a folder with a model" in outcome.err


@pytest.mark.parametrize("token", ["[PAD]", "<pad>"])
@pytest.mark.parametrize("at", [0, 2])
def test_padded_maps_are_refused_by_the_token(tmp_path: Path, token: str, at: int):
    tokens = list(TOKENS)
    tokens[at] = token
    path = saved(tmp_path / "maps.npz", {"a": (identity(3)[None, None], tokens)})
    sentence = rf"Expected no padding in 'a' of .*maps.npz, found \{token} as token {at + 1}; save the map of each text"
    with pytest.raises(CorpusError, match=sentence.replace(r"\<", "<")):
        read_maps(path)


@pytest.mark.parametrize("token", ["b\ud800", "\udfff", "\ud83d\ude00"])
def test_tokens_that_are_no_text_are_named(tmp_path: Path, token: str):
    """Halves of a pair, also both beside each other, stand for no character."""
    path = saved(tmp_path / "maps.npz", {"a": (identity(3)[None, None], [*TOKENS[:-1], token])})
    with pytest.raises(CorpusError, match=r"^Expected tokens that are text in 'a' of .*maps.npz, found half of a"):
        read_maps(path)
