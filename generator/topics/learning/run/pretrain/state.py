"""The files of a run, kept so that it can be killed at any moment and continued as if nothing had happened.

    run.json                    settings and checksums of the text; another run may not write here
    tokenizer/                  the vocabulary
    counts.json                 how often each piece of the vocabulary stands in the training text
    pieces.npz                  the training text, cut into pieces, so that the text itself is read no more
    state.pt                    the last saved state, replaced in one move
    log.jsonl                   one line per report; a run that is continued deletes those later than the saved state
    checkpoints/step-0000123/   a model folder for `from_pretrained`, with its evaluation.json

Every file and folder is written beside its place and moved there when complete.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError

from generator.errors import ResultsError, reason
from generator.results.swap import foreign, replacing

LOG, STATE, RUN, CHECKPOINTS = "log.jsonl", "state.pt", "run.json", "checkpoints"
COUNTS = "counts.json"
FULL = ("PytorchStreamWriter", "inline_container", "iostream error")
"""Words in torch's messages about a full disk."""
LOGGED = "logged"
"""Key of a saved state: how many lines the log had then."""


@contextmanager
def writing(place: Path) -> Iterator[None]:
    """Inside this block an error in writing below `place` becomes a ResultsError that says what prevented it."""
    try:
        yield
    except (OSError, SafetensorError, RuntimeError) as error:
        full = isinstance(error, RuntimeError) and any(name in str(error) for name in FULL)
        if isinstance(error, RuntimeError) and not full:
            raise
        found = "a file that could not be written to its end" if full else reason(error)
        raise ResultsError(
            f"Expected to write to {place}, found: {found}; free some space and give the same command again. "
            "It goes on from what was saved before, which is still there."
        ) from None


def claim_folder(out: Path, run: Mapping[str, Any]) -> None:
    """Make the folder of a run, or check that it belongs to the same run. Raises ResultsError if it does not."""
    text = json.dumps(run, indent=1, sort_keys=True) + "\n"
    try:
        out.mkdir(parents=True, exist_ok=True)
        found = (out / RUN).read_text(encoding="utf-8", errors="replace") if (out / RUN).exists() else None
        if found is None:
            write_file(out / RUN, lambda path: path.write_text(text, encoding="utf-8"))
    except OSError as error:
        raise ResultsError(
            f"Expected a folder to write to at {out}, found: {reason(error)}; give another --out."
        ) from None
    if found not in (None, text):
        read_json(out / RUN)  # raises for a file that was cut short
        raise ResultsError(
            f"Expected {out / RUN} to describe this run, found other settings or other text; give another --out."
        )


def read_json(path: Path) -> dict[str, Any]:
    """What `claim_folder` wrote. Raises ResultsError for a file that is cut short or damaged."""
    try:
        return _object(path)
    except (OSError, ValueError, RecursionError) as error:
        raise ResultsError(
            f"Expected JSON that describes a run in {path}, found a damaged file ({reason(error)}); give another "
            "--out, or delete this file if the command and its data are those that the run began with."
        ) from None


def read_run(out: Path) -> dict[str, Any]:
    """What `claim_folder` wrote; empty if there is no such file. Raises ResultsError for another file of that name."""
    if not (out / RUN).is_file():
        return {}
    try:
        found = _object(out / RUN)
        found["settings"], found["text"]
    except (OSError, ValueError, KeyError, RecursionError):
        raise ResultsError(
            f"Expected {out / RUN} to describe a run of `fieldguide pretrain`, found something else; give its folder."
        ) from None
    return found


def _object(path: Path) -> dict[str, Any]:
    found = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(found, dict):
        raise ValueError("no object")
    return found


def write_counts(out: Path, counts: Mapping[str, int]) -> None:
    """Write how often each piece of the vocabulary stands in the training text. Raises ResultsError."""
    text = json.dumps(counts, indent=0) + "\n"
    write_file(out / COUNTS, lambda path: path.write_text(text, encoding="utf-8"))


def read_counts(out: Path) -> dict[str, int]:
    """What `write_counts` wrote; empty if there is no such file. Raises ResultsError for anything else."""
    if not (out / COUNTS).is_file():
        return {}
    try:
        found = _object(out / COUNTS)
        if not all(type(count) is int and count >= 0 for count in found.values()):
            raise ValueError("not all are counts")
    except (OSError, ValueError, RecursionError) as error:
        raise ResultsError(
            f"Expected how often each piece stands in the training text in {out / COUNTS}, found another file "
            f"({reason(error)}); delete it, and the command `fieldguide pretrain` of the run writes it again."
        ) from None
    return found


def save_state(out: Path, state: Mapping[str, Any]) -> None:
    """Replace the saved state. Raises ResultsError."""
    logged = len(read_log(out))
    write_file(out / STATE, lambda path: torch.save({**state, LOGGED: logged}, path))


def restore(out: Path, device: torch.device, use: Callable[[dict[str, Any]], object]) -> bool:
    """Hand the saved state to `use`; returns whether there was one.

    Raises ResultsError for a state that cannot be read or used, and for a log that has lost lines since it was saved.
    """
    if not (out / STATE).exists():
        return False
    try:
        state = dict(torch.load(out / STATE, map_location=device, weights_only=True))
        use(state)
    except Exception as error:  # noqa: BLE001 - a damaged file can make pickle and torch raise anything
        raise ResultsError(
            f"Expected the state of a run in {out / STATE}, found a file that cannot be read ({reason(error)}); "
            "delete the folder and start again. Its checkpoints are whole."
        ) from None
    there = len(read_log(out))
    if there < state.get(LOGGED, 0):
        raise ResultsError(
            f"Expected {state[LOGGED]} lines or more in {out / LOG}, as when the state was saved, found {there}; put "
            "the file back, or delete the folder and start again."
        )
    return True


def append(out: Path, line: Mapping[str, Any]) -> None:
    """Add a line to the log. Raises ResultsError."""
    with writing(out / LOG), (out / LOG).open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def read_log(out: Path) -> list[dict[str, Any]]:
    """The lines of the log without a last one that was cut short. Raises ResultsError for any other broken line."""
    raw = (out / LOG).read_bytes() if (out / LOG).exists() else b""
    found = []
    for number, line in enumerate(raw.splitlines(keepends=True), start=1):
        try:
            if line.endswith(b"\n"):
                found.append(json.loads(line))
                found[-1]["step"], found[-1]["kind"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise ResultsError(
                f"Expected a JSON object with a step and a kind in line {number} of {out / LOG}, found something else; "
                "put the file back, or delete the folder and start again."
            ) from None
    return found


def cut_log(out: Path, step: int) -> None:
    """Delete the lines that were logged after a step. Raises ResultsError."""
    kept = [json.dumps(line) + "\n" for line in read_log(out) if line["step"] <= step]
    write_file(out / LOG, lambda path: path.write_text("".join(kept), encoding="utf-8"))


def checkpoint_folder(out: Path, step: int) -> Path:
    """Where the model of a step lies."""
    return out / CHECKPOINTS / f"step-{step:07d}"


def write_folder(folder: Path, write: Callable[[Path], object]) -> None:
    """Write a folder beside its place and move it there; one that is there already is replaced, but for what somebody
    else has put into it. Raises ResultsError.
    """
    staying: list[str] = []
    with writing(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        with replacing(folder, staying) as fresh:
            write(fresh)
            staying += foreign(folder, fresh, lambda name: (fresh / name).exists())


def write_file(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file beside its place and move it there. Raises ResultsError."""
    there = Path(os.path.realpath(path))
    draft = there.with_name(f".{there.name}.part")
    with writing(path):
        write(draft)
        with draft.open("rb+") as file:
            os.fsync(file.fileno())  # a crash of the machine must not leave an empty file under the real name
        draft.replace(there)
