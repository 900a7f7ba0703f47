"""`python -m tests.dry_run`: do what docs/your-own-guide.md says, with a wheel of this checkout in an empty folder.

It takes minutes, most of them to install, and stands outside `make test`; `.ci/run` runs it.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.encoders import write

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "your-own-guide.md"


def commands(page: str) -> str:
    """The commands of the page's first block."""
    found = re.search(r"```console\n(.*?)```", page, re.DOTALL)
    if not found:
        raise SystemExit(f"Expected a block of commands in {PAGE}, found none.")
    return found[1]


def main() -> None:
    """Exit code 0 where the commands end with a site of every head."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        wheel = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", name, str(ROOT))
        subprocess.run(wheel, check=True)
        shutil.copy(ROOT / "constraints.txt", place)
        write("bert", place / "my-encoder")
        keep = {key: value for key, value in os.environ.items() if key not in {"PYTHONPATH", "VIRTUAL_ENV"}}
        words = ("bash", "-euo", "pipefail", "-c", commands(PAGE.read_text(encoding="utf-8")))
        subprocess.run(words, cwd=place, env=keep | {"HF_HUB_OFFLINE": "1"}, check=True)
        heads = list((place / "my-guide" / "site").glob("models/my-encoder/heads/*/index.html"))
        if len(heads) != 12:
            raise SystemExit(f"Expected a page for each of 12 heads, found {len(heads)}.")
        sys.stdout.write(f"{PAGE.name}: its commands end with a site of {len(heads)} heads\n")


if __name__ == "__main__":
    main()
