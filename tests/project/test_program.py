"""A guide installs the exact program, by its hash; no file that it has installs anything by a name alone."""

import hashlib
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.errors import SettingsError
from generator.limits import MOST_UNPACKED
from generator.project.program import Program, given, installed
from tests.cli.command import ROOT, fieldguide
from tests.project.wheels import write_wheel

SHA = "a" * 64
ABOUT = "fieldguide-0.1.0.dist-info/METADATA"
ADDRESS = f"https://example.org/fieldguide-0.1.0-py3-none-any.whl#sha256={SHA}"
INSTALLS = re.compile(r"\b(?:pip|uv|pipx|uvx|npm|npx)\b[\"']? (?:pip )?(?:install|run|x)\b[^\n`)]*")
PINNED = re.compile(
    r"--require-hashes|--constraint constraints\.txt|==|\.whl\b|--editable \.|--editable '\.\[|'/opt/|"
    r"pip install properdocs|'\.\[embedded\]'"
)
"""By a hash, a version or a file; and an engine beside this program, which the page says to choose."""
BY_NAME = re.compile(r"install[^\n`]*[ '\"]fieldguide(?=\[|['\" `]|$)", re.MULTILINE)


@pytest.mark.parametrize("kind", ["wheel", "address"])
def test_no_file_of_a_guide_installs_by_a_name_that_anybody_may_register(tmp_path: Path, kind: str) -> None:
    wheel, guide = write_wheel(tmp_path), tmp_path / "guide"
    assert fieldguide("init", guide, "--program", wheel if kind == "wheel" else ADDRESS).exit == 0
    written = (guide / ".github/requirements/fieldguide.txt").read_text()
    if kind == "wheel":
        sha = hashlib.sha256(wheel.read_bytes()).hexdigest()
        assert written == f"./.github/requirements/{wheel.name} \\\n    --hash=sha256:{sha}\n"
        assert (guide / ".github/requirements" / wheel.name).read_bytes() == wheel.read_bytes()
    else:
        assert written == f"{ADDRESS.partition('#')[0]} \\\n    --hash=sha256:{SHA}\n"
    files = [one for one in guide.rglob("*") if one.suffix in {".yml", ".md", ".toml", ".txt", ""} and one.is_file()]
    assert {"guide.yml", "gitlab-ci.yml", "action.yml", "your-own-guide.md", "many-machines.md"} <= {
        one.name for one in files
    }
    for file in files:
        text = file.read_text(encoding="utf-8").replace("\\\n", " ")
        found = [one for one in INSTALLS.findall(text) if not PINNED.search(one)]
        assert found == [], file
        assert not BY_NAME.search(text), file


def test_no_hint_of_the_program_installs_it_by_its_name() -> None:
    for file in sorted((ROOT / "generator").rglob("*.py")):
        assert not BY_NAME.search(file.read_text(encoding="utf-8")), file


def test_without_a_wheel_nothing_is_guessed(tmp_path: Path) -> None:
    refused = fieldguide("init", tmp_path / "guide")
    assert refused.exit == 1
    assert "Expected a record of the wheel that a workflow installs, found none; give --pro" in refused.err
    assert not (tmp_path / "guide").exists()
    assert fieldguide("init", tmp_path / "guide", "--no-workflow").exit == 0
    assert not list((tmp_path / "guide").rglob("*.yml*"))[1:], "mkdocs.yml alone"


@pytest.mark.parametrize(
    "source",
    ["fieldguide", "{0}/nothere.whl", "{0}/other-0.1.0-py3-none-any.whl", ADDRESS.partition("#")[0], f"{ADDRESS}b"],
)
def test_what_is_not_this_program_is_refused(tmp_path: Path, source: str) -> None:
    write_wheel(tmp_path, "other")
    refused = fieldguide("init", tmp_path / "guide", "--program", source.format(tmp_path))
    assert refused.exit == 1
    assert refused.err.startswith("Error: Expected ")
    assert not (tmp_path / "guide").exists()


def _spoilt(path: Path, at: bytes, byte: int, offset: int) -> None:
    """Change the byte that stands so far behind the beginning of every such header."""
    raw = bytearray(path.read_bytes())
    start = -1
    while (start := raw.find(at, start + 1)) >= 0:
        raw[start + offset] = byte
    path.write_bytes(raw)


def _large(path: Path, wheel: zipfile.ZipFile) -> None:
    with wheel.open(ABOUT, "w", force_zip64=True) as file:
        file.write(b"Name: fieldguide\n")
        for _ in range(MOST_UNPACKED >> 20):
            file.write(bytes(1 << 20))


def _latin(path: Path, wheel: zipfile.ZipFile) -> None:
    wheel.writestr(ABOUT, b"Name: caf\xe9\n")


def _marked(value: int, listed: int, at: int) -> Callable[[Path, zipfile.ZipFile], None]:
    """Makes a wheel whose member is marked at this byte of its entry in the list, and of its own header."""

    def make(path: Path, wheel: zipfile.ZipFile) -> None:
        wheel.writestr(ABOUT, b"Name: fieldguide\n")
        wheel.close()
        _spoilt(path, b"PK\x01\x02", value, listed)
        _spoilt(path, b"PK\x03\x04", value, at)

    return make


_encrypted, _unknown = _marked(1, 8, 6), _marked(77, 10, 8)


def _damaged(path: Path, wheel: zipfile.ZipFile) -> None:
    wheel.writestr(ABOUT, b"Name: fieldguide\n" * 50)
    wheel.close()
    _spoilt(path, b"PK\x03\x04", 0xFF, 30 + len(ABOUT))


def _nothing(path: Path, wheel: zipfile.ZipFile) -> None:
    wheel.writestr("a", b"")


@pytest.mark.parametrize(
    ("make", "found"),
    [
        (_large, f"none (more than {MOST_UNPACKED >> 20} MiB packed into"),
        (_latin, "none ('utf-8' codec can't decode byte 0xe9"),
        (_encrypted, "none (File 'fieldguide-0.1.0.dist-info/METADATA' is encrypted"),
        (_damaged, "none (Error -3 while decompressing data: invalid block type"),
        (_unknown, "none (That compression method is not supported"),
        (_nothing, "none; give --program"),
    ],
)
def test_a_wheel_that_cannot_be_read_is_refused_in_one_sentence(
    tmp_path: Path, make: Callable[[Path, zipfile.ZipFile], None], found: str
) -> None:
    path = tmp_path / "fieldguide-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        make(path, wheel)
    with pytest.raises(SettingsError) as refused:
        given(str(path))
    said = str(refused.value)
    assert said.startswith(f"Expected a wheel of fieldguide at {path}, found {found}")
    assert said.endswith("that is built at a desk alone.")


def test_the_wheel_from_which_pip_installed_it_is_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel, about = write_wheel(tmp_path / "wheel s"), tmp_path / "site" / "fieldguide-0.1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.4\nName: fieldguide\nVersion: 0.1.0\n")
    monkeypatch.syspath_prepend(tmp_path / "site")

    def recorded(url: str, sha256: str) -> None:
        record = {"url": url, "archive_info": {"hash": f"sha256={sha256}", "hashes": {"sha256": sha256}}}
        (about / "direct_url.json").write_text(json.dumps(record))

    sha256 = hashlib.sha256(wheel.read_bytes()).hexdigest()
    recorded(wheel.as_uri(), sha256)
    assert installed() == Program(str(wheel), sha256)
    recorded(wheel.as_uri(), SHA)
    with pytest.raises(SettingsError, match=r"of which this is an installation at .*, found another"):
        installed()
    recorded(*ADDRESS.split("#sha256="))
    assert installed() == Program(ADDRESS.partition("#")[0], SHA)
