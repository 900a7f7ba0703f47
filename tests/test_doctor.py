"""The doctor looks at everything a build needs, and a failing check says what to do."""

import re
import shutil
from dataclasses import replace

import pytest

from generator.doctor import NEEDED, checks
from generator.models.catalogue import EMBEDDED, Package
from generator.results.writing import write
from tests.results.samples import manifest, tables


@pytest.fixture
def config(tmp_path):
    """The settings of a project with one stored result."""
    write(tmp_path / "build" / "results", manifest(), tables())
    path = tmp_path / "fieldguide.toml"
    path.write_text("[[model]]\nid = 'x/y'\n")
    return path


@pytest.fixture
def found(config):
    """Runs the doctor and gives its checks by name."""
    return lambda path=config: {check.name: check for check in checks(path)}


def test_every_library_is_named_with_its_version(found):
    report = found()
    assert set(NEEDED) <= set(report)
    assert all(report[name].ok and report[name].found[0].isdigit() for name in ("python", *NEEDED))


def test_a_sound_project_passes_every_check(found):
    assert [check for check in found().values() if not check.ok] == []


def test_the_embedded_encoder_is_needed_only_where_it_is_listed(found, config, monkeypatch):
    """It is an optional extra: this is a place where it is not installed."""
    absent = Package("not-installed-anywhere", "0.1.0", "not_installed_anywhere/model", "")
    monkeypatch.setattr("generator.doctor.EMBEDDED", replace(EMBEDDED, package=absent))
    monkeypatch.setattr("generator.models.catalogue.CATALOGUE", (replace(EMBEDDED, package=absent),))
    check = found()["embedded encoder"]
    assert (check.ok, check.found.partition(";")[0]) == (True, "not installed, nor needed")
    config.write_text(f'[[model]]\nid = "{EMBEDDED.id}"\n')
    check = found()["embedded encoder"]
    assert not check.ok
    assert "pip install not-installed-anywhere==0.1.0" in check.found


def test_settings_results_and_text_are_counted(found):
    report = found()
    assert re.fullmatch(r"models listed in .*fieldguide\.toml: 1", report["settings"].found)
    assert report["results"].found == "tiny"
    assert report["corpus articles"].found.split()[0].isdigit()


def test_a_device_is_always_there(found):
    assert found()["devices"].found.endswith("cpu")


def test_free_space_is_that_of_the_project_s_disk(found, config):
    free = shutil.disk_usage(config.parent).free / 1e9
    assert float(found()["disk"].found.split()[0]) == pytest.approx(free, abs=2)


def test_a_missing_settings_file_fails_and_says_so(found, tmp_path):
    report = found(tmp_path / "nowhere.toml")
    assert not report["settings"].ok
    assert "nowhere.toml" in report["settings"].found


def test_a_project_folder_that_is_not_there_fails_and_is_no_crash(found, tmp_path):
    report = found(tmp_path / "nowhere" / "fieldguide.toml")
    assert not report["settings"].ok


def test_results_that_cannot_be_shown_fail_with_the_reason(found, config):
    (config.parent / "build" / "results" / "tiny" / "heads.parquet").unlink()
    check = found()["results"]
    assert not check.ok
    assert "heads.parquet" in check.found


def test_every_check_is_one_line(found, tmp_path):
    for report in (found(), found(tmp_path / "nowhere.toml")):
        assert [check for check in report.values() if len(f"{check.name}{check.found}".splitlines()) != 1] == []
