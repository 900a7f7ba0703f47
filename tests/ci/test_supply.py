"""What a workflow runs and installs cannot change between two runs, and a job may do no more than it has to."""

import re

import pytest
import yaml

from tests import pin
from tests.cli.command import ROOT
from tests.pin import ALONE, TORCH
from tests.pin import FILES as FILES_TOGETHER

GITHUB = ROOT / ".github"
FILES = sorted(GITHUB.rglob("*.yml"))
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
LOCKED = re.compile(
    r"pip install --no-deps --require-hashes --only-binary :all:( --requirement \.github/requirements/\w+\.txt)+"
)
OURS = {"pip install --no-deps --no-build-isolation --editable ."}
"""The program itself, whose dependencies are installed by then."""


def pinned(text):
    """Versions that a file of pip names, by package and marker."""
    return set(re.findall(r"^[\w.-]+==[^\s;]+(?: ; [^\\\n]+?)?(?= \\$|$)", text, re.MULTILINE))


def read(path):
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_actions_are_named_by_their_commit(path):
    used = re.findall(r"uses: (\S+)(.*)", read(path))
    assert [name for name, said in used if not name.startswith("./") and not named(name, said)] == []


def named(name, said):
    """Whether an action is named by a commit, and the version is told."""
    return re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", name) and re.fullmatch(r" # v\d+\.\d+\.\d+", said)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_installed_has_a_hash_and_one_index(path):
    text = read(path).replace("\\\n", " ").replace('"$pip" install', "pip install")
    lines = [re.sub(r"\s+", " ", line) for line in re.findall(r"pip install .*", text)]
    assert [line for line in lines if line not in OURS and not LOCKED.fullmatch(line)] == []
    assert "index" not in "".join(lines)
    assert all(line.endswith(f"/{TORCH}") and line.count("--requirement") == 1 for line in lines if TORCH in line)


def test_constraints_are_the_versions_that_have_hashes_and_torch():
    requirements = GITHUB / "requirements"
    assert {path.name for path in requirements.glob("*.txt")} == {*FILES_TOGETHER, *ALONE, TORCH}
    with_hashes = [read(requirements / name) for name in (*FILES_TOGETHER, *ALONE)]
    listed = [pinned(text) for text in with_hashes]
    assert set.union(*listed) == {
        one for one in pinned(read(ROOT / "constraints.txt")) if not one.startswith("torch==")
    }
    together = listed[: len(FILES_TOGETHER)]
    assert sum(map(len, together)) == len(set.union(*together)), "each version stands in one file"
    for text in with_hashes:
        blocks = re.findall(r"^\S.*==.*(?:\n    --hash=sha256:[0-9a-f]{64}(?: \\)?)+$", text, re.MULTILINE)
        assert len(blocks) == len(pinned(text))


def test_torch_has_a_hash_for_every_python_and_is_alone_with_its_index():
    (version,) = re.findall(r"^torch==(.*)$", read(ROOT / "constraints.txt"), re.MULTILINE)
    pythons = yaml.load(read(GITHUB / "workflows/test.yml"), yaml.BaseLoader)["jobs"]["test"]["strategy"]["matrix"][
        "python"
    ]
    assert list(pin.TORCH_HASHES[version]) == pythons
    assert (text := read(pin.REQUIREMENTS / TORCH)) == pin.torch_file(version)
    assert text.count("--hash=sha256:") == len(pythons)
    assert [path.name for path in pin.REQUIREMENTS.iterdir() if "index" in read(path)] == [TORCH]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_each_job_names_the_rights_that_it_needs(path):
    workflow = yaml.load(read(path), yaml.BaseLoader)
    assert workflow["permissions"] == {}
    for name, job in workflow["jobs"].items():
        rights = {f"{right}: {kind}" for right, kind in job["permissions"].items()}
        assert (writes := {right for right in rights if right.endswith("write")}) == WRITES.get(
            (path.stem, name), set()
        )
        assert len(writes) == 0 or "contents: read" not in rights, "who may write runs no code of the repository"


WRITES = {
    ("guide", "keep"): {"contents: write"},
    ("guide", "publish"): {"pages: write", "id-token: write"},
    ("guide", "comment"): {"pull-requests: write"},
    ("release", "publish"): {"id-token: write"},
}
"""Jobs that may change something, and what."""


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_no_step_finds_a_password_in_the_checkout(path):
    for job in yaml.load(read(path), yaml.BaseLoader)["jobs"].values():
        for step in job["steps"]:
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] == "false"
