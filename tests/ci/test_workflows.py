"""The scripts of the workflow that rebuilds a guide do what its steps say, and what it passes on has known names."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.command import ROOT
from tests.limits import SECONDS

GITHUB = ROOT / ".github"
MOST = 256
"""Jobs of a matrix that GitHub accepts."""


def read(name: str) -> Any:
    return yaml.load((GITHUB / name).read_text(encoding="utf-8"), yaml.BaseLoader)


GUIDE, SETUP = read("workflows/guide.yml"), read("actions/setup/action.yml")


def step(job: str, name: str) -> Any:
    """The step of a job with this beginning of its name."""
    (found,) = (one for one in GUIDE["jobs"][job]["steps"] if one.get("name", "").startswith(name))
    return found


def run(script: str, folder: Path, **variables: object) -> None:
    """Run a step's script in a folder, as the workflow's shell does."""
    here = os.environ | {name: str(value) for name, value in variables.items()}
    subprocess.run(["bash", "-eo", "pipefail", "-c", script], cwd=folder, env=here, timeout=SECONDS, check=True)


@pytest.mark.parametrize(("count", "some"), [(0, "False"), (2, "True"), (MOST + 44, "True")])
def test_a_plan_longer_than_a_matrix_is_cut(tmp_path: Path, count: int, some: str) -> None:
    planned = [{"model": f"model {number}", "slug": f"model-{number}"} for number in range(count)]
    (tmp_path / "planned.json").write_text(json.dumps({"include": planned}))
    (tmp_path / "fieldguide").write_text("#!/usr/bin/env bash\ncat planned.json\n")
    (tmp_path / "fieldguide").chmod(0o755)
    out = tmp_path / "out"
    run(step("plan", "What is new")["run"], tmp_path, PATH=f"{tmp_path}:{os.environ['PATH']}", GITHUB_OUTPUT=out)
    outputs = dict(line.split("=", 1) for line in out.read_text().splitlines())
    assert (json.loads(outputs["jobs"]), outputs["some"]) == ({"include": planned[:MOST]}, some)


def test_a_site_that_lacks_a_model_is_published_and_the_run_still_fails() -> None:
    build, publish = GUIDE["jobs"]["build"], GUIDE["jobs"]["publish"]
    at = build["steps"].index(made := step("build", "Build the site"))
    assert "continue-on-error" not in made
    assert [one for one in build["steps"][at + 1 :] if "!cancelled()" not in one["if"]] == []
    (uploading,) = (one for one in build["steps"] if one.get("uses", "").startswith("actions/upload-pages-artifact"))
    assert build["outputs"] == {"uploaded": f"${{{{ steps.{uploading['id']}.outcome }}}}"}
    assert "steps.site.outcome == 'success'" in uploading["if"]
    assert publish["if"] == "${{ !cancelled() && needs.build.outputs.uploaded == 'success' }}"


def test_inputs_of_the_workflow_reach_the_action() -> None:
    given = GUIDE["on"]["workflow_call"]["inputs"]
    assert GUIDE["on"]["workflow_dispatch"]["inputs"] == given
    assert set(given) == {"python"}
    for name in ("plan", "analyze", "build"):
        (setup,) = (one for one in GUIDE["jobs"][name]["steps"] if one.get("uses") == "./.github/actions/setup")
        assert set(given) <= set(setup["with"]) <= set(SETUP["inputs"])
        assert all(setup["with"][key] == f"${{{{ inputs.{key} || env.{key.upper()} }}}}" for key in given)
    assert {name.lower() for name in GUIDE["env"]} == set(given)
