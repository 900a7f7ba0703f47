"""`python -m tests.pin`, with uv on the path: writes what CI installs, each file by its hash, and `constraints.txt`.

The versions that stand in `constraints.txt` stay; to take another one, change its line there and run this again.
Each file of .github/requirements adds to those before it: the program, its tests, and Ray. torch has no hash, because
its builds for the CPU lie in an index of their own; with it go the libraries for GPUs, which these builds do not need.
"""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CONSTRAINTS = ROOT / "constraints.txt"
FILES = {"program.txt": ("embedded",), "tests.txt": ("embedded", "dev"), "ray.txt": ("embedded", "dev", "ray")}
GPU = re.compile(r"torch|triton|nvidia-.*|cuda-.*")
HEAD = """# Versions that the tests ran with, written by `python -m tests.pin`. torch's plain name brings gigabytes of
# libraries for GPUs onto a machine without one; this version is also published as a CPU build.
"""


def pins(*extras: str) -> dict[str, list[str]]:
    """For each line `name==version ; marker` that these extras need, its hashes."""
    words = ["uv", "pip", "compile", "pyproject.toml", "--universal", "--python-version", "3.11", "--quiet"]
    words += ["--generate-hashes", "--no-header", "--no-annotate", "--constraint", CONSTRAINTS.name]
    for name in extras:
        words += ["--extra", name]
    found: dict[str, list[str]] = {}
    for line in subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines():
        if line.startswith(" "):
            found[list(found)[-1]].append(line.strip(" \\"))
        else:
            found[line.rstrip(" \\")] = []
    return found


def main() -> None:
    """Write the files."""
    written: dict[str, list[str]] = {}
    for file, extras in FILES.items():
        new = {line: hashes for line, hashes in pins(*extras).items() if line not in written}
        written |= new
        lines = [
            f"{line} \\\n    " + " \\\n    ".join(hashes)
            for line, hashes in new.items()
            if not GPU.fullmatch(line.split("==")[0])
        ]
        text = "\n".join(["# Written by tests/pin.py, which says what this is.", *lines, ""])
        (ROOT / ".github" / "requirements" / file).write_text(text, encoding="utf-8")
    kept = sorted(line for line in written if line.startswith("torch==") or not GPU.fullmatch(line.split("==")[0]))
    CONSTRAINTS.write_text(HEAD + "\n".join(kept) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
