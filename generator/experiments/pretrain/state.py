"""What a run leaves on disk, so that it can be killed at any moment and taken up again as if nothing had happened.

    run.json                    settings and checksums of the text; another run may not write here
    tokenizer/                  the vocabulary
    state.pt                    the last saved state, replaced in one move
    log.jsonl                   one line per report; lines after the saved state are cut off when it is taken up
    checkpoints/step-0000123/   a model folder for `from_pretrained`, with its evaluation.json

Every file and folder is written beside its place and moved there when complete.
"""

import json
import os
import pickle
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch

from generator.errors import ResultsError

LOG, STATE, RUN, CHECKPOINTS = "log.jsonl", "state.pt", "run.json", "checkpoints"


def claim_folder(out: Path, run: Mapping[str, Any]) -> None:
    """Make the folder of a run, or check that it is of the same one. Raises ResultsError."""
    text = json.dumps(run, indent=1, sort_keys=True) + "\n"
    try:
        out.mkdir(parents=True, exist_ok=True)
        found = (out / RUN).read_text(encoding="utf-8") if (out / RUN).exists() else None
        if found is None:
            _write_file(out / RUN, lambda path: path.write_text(text, encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ResultsError(f"Expected a folder to write to at {out}, found: {error}; give another --out.") from None
    if found not in (None, text):
        raise ResultsError(
            f"Expected {out / RUN} to describe this run, found other settings or other text; give another --out."
        )


def read_run(out: Path) -> dict[str, Any]:
    """What `claim_folder` wrote; empty where it did not. Raises ResultsError for another file of that name."""
    if not (out / RUN).is_file():
        return {}
    try:
        found: dict[str, Any] = json.loads((out / RUN).read_text(encoding="utf-8"))
        found["settings"], found["text"]
    except (OSError, ValueError, KeyError, TypeError):
        raise ResultsError(
            f"Expected {out / RUN} to describe a run of `fieldguide pretrain`, found something else; give its folder."
        ) from None
    return found


def save_state(out: Path, state: Mapping[str, Any]) -> None:
    """Replace the saved state."""
    _write_file(out / STATE, lambda path: torch.save(dict(state), path))


def read_state(out: Path, device: torch.device) -> dict[str, Any] | None:
    """The saved state, or None where there is none. Raises ResultsError for one that cannot be read."""
    if not (out / STATE).exists():
        return None
    try:
        return dict(torch.load(out / STATE, map_location=device, weights_only=True))
    except (OSError, RuntimeError, EOFError, pickle.UnpicklingError) as error:
        raise ResultsError(
            f"Expected the state of a run in {out / STATE}, found a file that cannot be read "
            f"({str(error).splitlines()[0]}); delete the folder and start again."
        ) from None


def append(out: Path, line: Mapping[str, Any]) -> None:
    """Add a line to the log."""
    with (out / LOG).open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def read_log(out: Path) -> list[dict[str, Any]]:
    """The lines of the log; a last one that was cut short is left out."""
    text = (out / LOG).read_text(encoding="utf-8") if (out / LOG).exists() else ""
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


def cut_log(out: Path, step: int) -> None:
    """Forget what was logged after a step."""
    kept = [json.dumps(line) + "\n" for line in read_log(out) if line["step"] <= step]
    _write_file(out / LOG, lambda path: path.write_text("".join(kept), encoding="utf-8"))


def checkpoint_folder(out: Path, step: int) -> Path:
    """Where the model of a step lies."""
    return out / CHECKPOINTS / f"step-{step:07d}"


def write_folder(folder: Path, write: Callable[[Path], object]) -> None:
    """Write a folder beside its place and move it there; one that is there already is replaced."""
    draft = folder.with_name(f".{folder.name}.part")
    for old in (draft, folder):
        shutil.rmtree(old, ignore_errors=True)
    draft.mkdir(parents=True)
    write(draft)
    draft.replace(folder)


def _write_file(path: Path, write: Callable[[Path], object]) -> None:
    draft = path.with_name(f".{path.name}.part")
    write(draft)
    with draft.open("rb+") as file:
        os.fsync(file.fileno())  # a crash of the machine must not leave an empty file under the real name
    draft.replace(path)
