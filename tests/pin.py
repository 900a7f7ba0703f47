"""`python -m tests.pin`, with uv on the path: writes what CI installs, each file by its hash, and `constraints.txt`.

The versions that stand in `constraints.txt` stay; to take another one, change its line there and run this again.
Each file of .github/requirements adds to those before it: the program, its tests, and Ray. Other engines are alone in
theirs, with all that they need. torch is alone, because its builds for the CPU lie in an index of their own; with it go
the libraries for GPUs, which these builds do not need.
"""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CONSTRAINTS = ROOT / "constraints.txt"
REQUIREMENTS = ROOT / ".github" / "requirements"
WRITTEN = "# Written by tests/pin.py, which says what this is."
FILES = {"program.txt": ("embedded",), "tests.txt": ("embedded", "dev"), "ray.txt": ("embedded", "dev", "ray")}
ALONE = {"properdocs.txt": "properdocs>=1.6,<2", "zensical.txt": "zensical<0.1"}
"""What has an environment of its own."""
TORCH = "torch.txt"
INDEX = "https://download.pytorch.org/whl/cpu"
TORCH_HASHES = {
    "2.13.0": {
        "3.11": "6746dbcbeb526eb61330b76b41ff1b4eb848951103a892eeb080dfa2b264667b",
        "3.12": "4ca4a9394b0c771238a4f73590fdbbc4debad85ed0fa63d026ae1b085da7d6e2",
        "3.13": "3fbf9c9d1f3c10c2d59d04aca426dee9ccc6ceb32d255c61e93acc3b4f75fae6",
        "3.14": "d20fa53ee744502fa4c69818a720b05ca0d37abd055d4f6e66cae155114bc691",
    }
}
"""Version -> Python -> SHA-256 of the build for the CPU, x86-64 and Linux, as that index lists it."""
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
    (REQUIREMENTS / file).write_text("\n".join([WRITTEN, *lines, ""]), encoding="utf-8")


def torch_file(version: str) -> str:
    """What is to be installed of torch, from its own index alone. Raises KeyError for a version without hashes."""
    hashes = (f"--hash=sha256:{sha256}" for sha256 in TORCH_HASHES[version].values())
    return "\n".join([WRITTEN, f"--index-url {INDEX}", " \\\n    ".join([f"torch=={version}+cpu", *hashes]), ""])


def main() -> None:
    """Write the files."""
    (version,) = re.findall(r"^torch==(.*)$", CONSTRAINTS.read_text(encoding="utf-8"), re.MULTILINE)
    (REQUIREMENTS / TORCH).write_text(torch_file(version), encoding="utf-8")
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
