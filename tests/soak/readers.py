"""Files that readers accept, changed at random by hypothesis: each is read, or refused in a sentence, and soon."""

import gzip
import io
import tarfile
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import torch
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from generator.attention.saved import read_maps
from generator.config import read_project
from generator.corpora.catalogue import QUESTIONS, TREEBANK
from generator.corpora.opening import open_corpora
from generator.corpora.questions import read_questions
from generator.corpora.tasks import find_task, read_task
from generator.errors import FieldguideError
from generator.experiments.code import CHECKED, checks
from generator.models.load import load
from generator.models.source import locate
from generator.pages.bibliography import read_bibliography
from generator.results.manifest import FILE, Manifest
from generator.topics.frames.corpus.framenet import read_framenet
from generator.topics.learning.run.curve.checkpoints import read_checkpoints
from generator.topics.learning.run.pretrain.settings import read_pretraining
from generator.topics.learning.run.pretrain.state import read_log
from generator.topics.probes.compute.word_vectors import read_vectors
from tests.cli.command import ROOT, write_corpus
from tests.encoders import write
from tests.experiments.reviews import write_tasks
from tests.results.samples import manifest
from tests.topics.frames.corpus.conftest import LENDING
from tests.topics.frames.corpus.framenet import DOCUMENT
from tests.topics.frames.corpus.test_propositions import PROPOSED

AT_ONCE = 100
CPU = torch.device("cpu")
SLOW = 10.0
"""Seconds after which a reader that has not ended is a loss."""
PIECES = (b"\n", b"\t", b"\n\n\n", b"# ", b"\0", b"\xff\xfe", b"[", b"{", b'"', b"9" * 5000, b"[" * 5000, b"-1", b"NaN")
EDITS = st.lists(
    st.tuples(st.floats(0, 1), st.floats(0, 0.3), st.sampled_from(PIECES) | st.binary(max_size=8)), max_size=6
)
"""Where in the file, how much of it is replaced, and by what."""
Reader = Callable[[Path], object]


def samples(root: Path) -> dict[str, tuple[bytes, str, Reader]]:
    """Name -> a sound file, how it is called, its reader."""
    tasks = write_tasks(root / "data")
    even = {"a": np.full((2, 2, 3, 3), 1 / 3), "a.tokens": np.array(["[CLS]", "a", "[SEP]"])}
    np.savez(root / "maps.npz", **even)
    texts = {
        "text.txt": write_corpus(root / "text.txt", 3).read_bytes(),
        "text.jsonl": b'{"id": "a", "paragraphs": ["One.", "Two."]}\n{"id": "b", "paragraphs": ["Three.", "Four."]}\n',
        "trees.conllu": b"\n\n".join(TREEBANK.paths[0].read_bytes().split(b"\n\n")[:2]) + b"\n\n",
        "names.tsv": b"ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"
        b"t-1\tAnn met Eve when she left.\tshe\t17\tAnn\t0\tTRUE\tEve\t8\tFALSE\thttp://x\n",
    }
    texts |= {
        "trees.conllu.gz": gzip.compress(texts["trees.conllu"]),
        "trees.conllup": b"# global.columns = ID HEAD DEPREL FORM\n" + b"1\t0\troot\tSo\n2\t1\tobj\tit\n\n" * 3,
        "x-up-dev.conllu": PROPOSED.encode(),
        "frames.tgz": _packed({"frame/Lending.xml": LENDING.encode(), "fulltext/a.xml": DOCUMENT.encode()}),
    }
    corpora = {name: (body, name, lambda path: open_corpora([str(path)])) for name, body in texts.items()}
    model = write("bert", root / "given" / "model")
    defined = root / "given" / "fn" / "frame" / "Lending.xml"
    defined.parent.mkdir(parents=True)
    defined.write_text(LENDING, encoding="utf-8")
    return (
        corpora
        | {
            name: ((model / name).read_bytes(), f"model/{name}", lambda path: load(locate(str(path.parent)), CPU))
            for name in ("config.json", "tokenizer.json", "tokenizer_config.json", "model.safetensors")
        }
        | {
            "frames": (DOCUMENT.encode(), "fn/fulltext/a.xml", lambda path: read_framenet("fn", [path.parents[1]])),
            "questions": (QUESTIONS.paths[0].read_bytes(), "questions.toml", lambda path: read_questions("q", [path])),
            "word vectors": (b"the 0.1 -2.5e-3 1\nof the 1 2 3\n", "vectors.txt", read_vectors),
            "checkpoints": (b"0 a/b main  # first\n10 a/b step-10\n", "list.txt", read_checkpoints),
            "checks": ((ROOT / "data" / "results" / CHECKED).read_bytes(), CHECKED, checks),
            "sources": ((ROOT / "docs" / "references.bib").read_bytes(), "references.bib", read_bibliography),
            "settings": (
                b'results = "a"\n[analysis]\nseed = 1\n[[model]]\nid = "x"\n',
                "fieldguide.toml",
                read_project,
            ),
            "run settings": (b"steps = 50\nwarm_up = 5\nrate = 1e-3\n", "run.toml", read_pretraining),
            "manifest": (manifest().text().encode(), FILE, lambda path: Manifest.read(path.parent)),
            "log": (
                b'{"kind": "training", "step": 3}\n{"kind": "watch", "step": 6}\n',
                "log.jsonl",
                lambda p: read_log(p.parent),
            ),
            "maps": ((root / "maps.npz").read_bytes(), "maps.npz", read_maps),
        }
        | {
            f"task {name}": (
                (tasks / folder / "dev.tsv").read_bytes(),
                f"{folder}/dev.tsv",
                lambda path, name=name: read_task(find_task(name), path.parents[1], "dev"),
            )
            for name, folder in (("rte", "RTE"), ("stsb", "STS-B"), ("sst2", "SST-2"))
        }
    )


def _packed(files: Mapping[str, bytes]) -> bytes:
    """A tar archive of these files."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, body in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(body)
            archive.addfile(member, io.BytesIO(body))
    return packed.getvalue()


def fuzz(minutes: float, start: int, report: Callable[[str], None]) -> tuple[Mapping[str, int], list[str]]:
    """Readers in turn until the time is over: what became of the inputs, and what was neither read nor refused."""
    counts: Counter[str] = Counter()
    losses: dict[str, str] = {}
    end = time.monotonic() + 60 * minutes
    with tempfile.TemporaryDirectory() as folder:
        known = samples(Path(folder))
        place = Path(folder) / "given"
        turn = start
        while time.monotonic() < end:
            for name, (sound, called, read) in known.items():
                turn += 1
                path = place / called
                path.parent.mkdir(parents=True, exist_ok=True)
                _try(path, sound, read, turn, counts, losses, name)
            report(f"{sum(counts.values())} inputs, {len(losses)} kinds of loss")
    return counts, list(losses.values())


def _try(
    path: Path, sound: bytes, read: Reader, turn: int, counts: Counter[str], losses: dict[str, str], name: str
) -> None:
    @seed(turn)
    @settings(max_examples=AT_ONCE, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(EDITS)
    def one(edits: list[tuple[float, float, bytes]]) -> None:
        body = sound
        for at, length, piece in edits:
            first = int(at * len(body))
            body = body[:first] + piece + body[first + int(length * len(body)) :]
        path.write_bytes(body)
        begun = time.monotonic()
        try:
            read(path)
            counts["read"] += 1
        except FieldguideError as error:
            counts["refused"] += 1
            if "\n" in str(error):
                losses.setdefault(f"{name}: lines", f"{name}: a refusal of several lines: {str(error)[:200]!r}")
        except Exception as error:  # noqa: BLE001 - whatever is no sentence of ours is what is looked for
            counts["crashed"] += 1
            where = f"{name}: {type(error).__name__}"
            losses.setdefault(where, f"{where}: {str(error)[:100]!r} for {body[:120]!r}")
        if time.monotonic() - begun > SLOW:
            losses.setdefault(f"{name}: slow", f"{name}: {time.monotonic() - begun:.0f} s for {body[:120]!r}")

    one()
