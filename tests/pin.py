"""`python -m tests.pin`, with uv on the path: writes what CI installs, each file by its hash, and `constraints.txt`.

The versions that stand in `constraints.txt` stay; to take another one, change its line there and run this again.
Each file of .github/requirements adds to those before it: the program, its tests, and Ray. Other engines are alone in
theirs, with all that they need. torch has no hash, because its builds for the CPU lie in an index of their own; with it
go the libraries for GPUs, which these builds do not need.
"""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CONSTRAINTS = ROOT / "constraints.txt"
FILES = {"program.txt": ("embedded",), "tests.txt": ("embedded", "dev"), "ray.txt": ("embedded", "dev", "ray")}
ALONE = {"properdocs.txt": "properdocs>=1.6,<2", "zensical.txt": "zensical<0.1"}
"""What has an environment of its own."""
GPU = re.compile(r"torch|triton|nvidia-.*|cuda-.*")
HEAD = """# Versions that the tests ran with, written by `python -m tests.pin`. torch's plain name brings gigabytes of
# libraries for GPUs onto a machine without one; this version is also published as a CPU build.
"""


def pins(*sources: str, asked: str = "") -> dict[str, list[str]]:
    """For each line `name==version ; marker` that these sources need, its hashes; the source "-" is what is asked."""
    words = ["uv", "pip", "compile", *sources, "--universal", "--python-version", "3.11", "--quiet"]
    words += ["--generate-hashes", "--no-header", "--no-annotate", "--constraint", CONSTRAINTS.name]
    told = subprocess.run(words, cwd=ROOT, input=asked, capture_output=True, text=True, check=True).stdout
    found: dict[str, list[str]] = {}
    for line in told.splitlines():
        if line.startswith(" "):
            found[list(found)[-1]].append(line.strip(" \\"))
        else:
            found[line.rstrip(" \\")] = []
    return found


def write(file: str, found: dict[str, list[str]]) -> None:
    """Write a file of what is to be installed, each with its hashes."""
    lines = [
        f"{line} \\\n    " + " \\\n    ".join(hashes)
        for line, hashes in found.items()
        if not GPU.fullmatch(line.split("==")[0])
    ]
    text = "\n".join(["# Written by tests/pin.py, which says what this is.", *lines, ""])
    (ROOT / ".github" / "requirements" / file).write_text(text, encoding="utf-8")


def main() -> None:
    """Write the files."""
    written: dict[str, list[str]] = {}
    for file, extras in FILES.items():
        named = [word for name in extras for word in ("--extra", name)]
        new = {line: hashes for line, hashes in pins("pyproject.toml", *named).items() if line not in written}
        written |= new
        write(file, new)
    for file, asked in ALONE.items():
        alone = pins("-", asked=asked)
        written |= alone
        write(file, alone)
    kept = sorted(line for line in written if line.startswith("torch==") or not GPU.fullmatch(line.split("==")[0]))
    CONSTRAINTS.write_text(HEAD + "\n".join(kept) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
