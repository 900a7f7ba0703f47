"""Runs the workflow that rebuilds a guide by doing what its files say, with folders in place of GitHub's services.

The repository is bare, a checkout a clone, a cache or an artifact a folder; `run` goes to bash. Commands that need a
network or GitHub itself are scripts of a few lines: `pip`, which looks whether what it is to install has a hash, and
`gh`, which writes comments. `fieldguide` is the real one (`tests.ci.served`).
"""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import yaml

from tests.ci.expressions import Expressions
from tests.limits import SECONDS
from tests.stems import HUBS

WORKFLOW = ".github/workflows/guide.yml"
WRITES, READS = "writes", "reads"
"""Tokens by what they may do."""
REFUSE = f"""#!/bin/sh
[ "$TOKEN" = {WRITES} ] || {{ echo "This token may not write." >&2; exit 1; }}
"""
PIP = """#!/usr/bin/env bash
while [ $# -gt 0 ]; do
  if [ "$1" = --requirement ]; then grep -q -- --hash=sha256: "$2" || exit 1; fi
  shift
done
"""
GH = f"""#!/usr/bin/env bash
[ "$GH_TOKEN" = {WRITES} ] || exit 1
cp "${{*: -1}}" "$(dirname "$0")/../comment.md" 2> /dev/null || cp summary.md "$(dirname "$0")/../comment.md"
"""


@dataclass
class Run:
    """One run of the workflow."""

    event: str = "push"
    ref: str = "refs/heads/main"
    secrets: Mapping[str, str] = field(default_factory=dict)
    fork: bool = False
    """Whether a stranger's repository asked for it: its token may only read, and it is given no secret."""
    cancel: Callable[[Path], bool] = lambda _: False
    """Asked all the time with the folder of the job that runs; a run that is cancelled does not ask again."""
    before: Mapping[str, Callable[[], None]] = field(default_factory=dict)
    """What happens elsewhere before a job begins."""
    number: int = 0
    sha: str = ""
    cancelled: bool = False
    results: dict[str, str] = field(default_factory=dict)
    """Job -> success, failure, cancelled or skipped; one of a matrix also by its model."""
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    summary: str = ""
    log: str = ""

    @property
    def failed(self) -> bool:
        return any(result in ("failure", "cancelled") for name, result in self.results.items() if "/" not in name)


class Services:
    """A repository with its caches, artifacts and pages."""

    def __init__(self, place: Path, origin: Path) -> None:
        self.place, self.origin, self.runs = place, origin, 0
        self.bin, self.pages = place / "bin", place / "pages"
        self.bin.mkdir(parents=True, exist_ok=True)
        for name, script in (("pip", PIP), ("gh", GH)):
            (self.bin / name).write_text(script)
            (self.bin / name).chmod(0o755)
        hook = origin / "hooks" / "pre-receive"
        hook.write_text(REFUSE)
        hook.chmod(0o755)

    def evict(self) -> None:
        """All caches are dropped."""
        shutil.rmtree(self.place / "caches", ignore_errors=True)

    def run(self, run: Run) -> Run:
        """Do all jobs, each after those that it needs."""
        self.runs += 1
        run.number = self.runs
        run.sha = git(self.origin, "rev-parse", run.ref)
        read = git(self.origin, "show", f"{run.sha}:{WORKFLOW}")
        workflow = yaml.load(read, yaml.BaseLoader)
        left = dict(workflow["jobs"])
        while left:
            name = next(one for one in left if not _needs(left[one]) & left.keys())
            run.before.get(name, lambda: None)()
            _Job(self, run, workflow, name, left.pop(name)).all()
        return run


def git(folder: Path, *words: str, **variables: str) -> str:
    """What a git command prints that succeeds."""
    here = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull} | variables
    author = ("-c", "user.name=one", "-c", "user.email=one@example.org", "-c", "init.defaultBranch=main")
    done = subprocess.run(["git", *author, *words], cwd=folder, env=here, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def _needs(job: Mapping[str, Any]) -> set[str]:
    needs = job.get("needs", [])
    return {needs} if isinstance(needs, str) else set(needs)


class _Job:
    """A job of a run, perhaps for several models."""

    def __init__(self, services: Services, run: Run, workflow: Any, name: str, job: Any) -> None:
        self.services, self.run, self.workflow, self.name, self.job = services, run, workflow, name, job
        self.outcome, self.steps, self.matrix = "success", dict[str, Any](), dict[str, Any]()
        self.inputs: Mapping[str, Any] = {}
        self.after: list[Callable[[], None]] = []

    def all(self) -> None:
        """Do it once, or for each entry of its matrix."""
        run = self.run
        needed = {run.results[one] for one in _needs(self.job)}
        self.outcome = "success" if needed <= {"success"} else "failure"
        if not self._holds(self.job.get("if")):
            run.results[self.name] = "skipped"
            return
        matrix = self.job.get("strategy", {}).get("matrix")
        entries = self._expressions().text(matrix)["include"] if matrix else [{}]
        outcomes = []
        for number, entry in enumerate(entries):
            one = _Job(self.services, run, self.workflow, self.name, self.job)
            one.matrix = entry
            outcomes.append(one.once(f"{run.number}-{self.name}-{number}"))
            if entry:
                run.results[f"{self.name}/{entry['model']}"] = outcomes[-1]
        worst = next((one for one in ("cancelled", "failure") if one in outcomes), "success")
        run.results[self.name] = "success" if "continue-on-error" in self.job else worst

    def once(self, title: str) -> str:
        """Do its steps; gives how it ended."""
        if self.run.cancelled and not self._holds(self.job.get("if")):
            return "cancelled"
        base = self.services.place / "jobs" / title
        self.workspace, self.temp, self.home = base / "work", base / "temp", base / "home"
        for folder in (self.workspace, self.temp, self.home):
            folder.mkdir(parents=True)
        for step in self.job["steps"]:
            self._step(step)
        if self.outcome == "success":
            for act in self.after:
                act()
        given = self._expressions()
        self.run.outputs[self.name] = {name: given.text(one) for name, one in self.job.get("outputs", {}).items()}
        shutil.rmtree(base)
        return self.outcome

    def _step(self, step: Any) -> None:
        said, outcome = dict[str, str](), "skipped"
        if self._holds(step.get("if")):
            try:
                said = (self._use if "uses" in step else self._bash)(step) or {}
                outcome = "success"
            except (AssertionError, subprocess.CalledProcessError) as error:
                outcome = "cancelled" if self.run.cancelled and self.outcome != "cancelled" else "failure"
                self.run.log += f"{self.name}: {step.get('name') or step.get('uses')}: {error}\n"
                if "continue-on-error" not in step:
                    self.outcome = outcome
        if "id" in step:
            self.steps[step["id"]] = {"outputs": said, "outcome": outcome}

    def _holds(self, condition: str | None) -> bool:
        """A condition that asks for no outcome also needs all to have gone well."""
        text = condition or "success()"
        asked = any(f"{one}()" in text for one in ("always", "cancelled", "success", "failure"))
        well = self.outcome == "success" and not self.run.cancelled
        return (asked or well) and self._expressions().holds(text)

    def _expressions(self) -> Expressions:
        run, mine = self.run, self.job.get("permissions", {})
        may = WRITES if "write" in mine.values() and not run.fork else READS
        contexts = {
            "github": {
                "event_name": run.event,
                "ref": run.ref,
                "sha": run.sha,
                "token": may,
                "server_url": f"file://{self.services.origin.parent}",
                "repository": self.services.origin.name,
                "run_id": run.number,
                "run_attempt": 1,
                "event": {"pull_request": {"number": 1}},
            },
            "secrets": {} if run.fork else run.secrets,
            "inputs": self.inputs,
            "env": self.workflow.get("env", {}),
            "matrix": self.matrix,
            "steps": self.steps,
            "needs": {
                one: {"result": run.results.get(one), "outputs": run.outputs.get(one, {})} for one in _needs(self.job)
            },
            "runner": {"temp": str(getattr(self, "temp", ""))},
        }
        functions = {
            "cancelled": lambda: run.cancelled,
            "failure": lambda: self.outcome == "failure",
            "success": lambda: self.outcome == "success",
            "hashFiles": self._hash,
        }
        return Expressions(contexts, functions)

    def _hash(self, *patterns: str) -> str:
        files = sorted({file for pattern in patterns for file in self.workspace.glob(pattern) if file.is_file()})
        read = hashlib.sha256(b"".join(file.read_bytes() for file in files))
        return read.hexdigest() if files else ""

    def _bash(self, step: Any) -> dict[str, str]:
        given = self._expressions()
        output, summary = self.temp / "output", self.temp / "summary"
        output.write_text("")
        foreign = (*HUBS, "GIT_", "GITHUB_")
        keep = {key: one for key, one in os.environ.items() if not key.upper().startswith(foreign)}
        variables = {**self.workflow.get("env", {}), **step.get("env", {})}
        variables = {key: str(given.text(variable)) for key, variable in variables.items()}
        variables |= {"GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(summary), "RUNNER_TEMP": str(self.temp)}
        variables |= {"HOME": str(self.home), "PATH": f"{self.services.bin}:{os.environ['PATH']}"}
        script = str(given.text(step["run"]))
        words = ["bash", "-eo", "pipefail", "-c", script]
        with (
            (self.temp / "log").open("w+") as log,
            subprocess.Popen(
                words, cwd=self.workspace, env=keep | variables, stdout=log, stderr=log, start_new_session=True
            ) as running,
        ):
            end = time.monotonic() + SECONDS
            while running.poll() is None:
                assert time.monotonic() < end, script
                if not self.run.cancelled and self.run.cancel(self.workspace):
                    self.run.cancelled = True
                    os.killpg(running.pid, signal.SIGTERM)
                time.sleep(0.01)
            log.seek(0)
            self.run.log += log.read()
        if summary.exists():
            self.run.summary += summary.read_text()
            summary.unlink()
        assert running.returncode == 0, f"exit code {running.returncode}"
        return dict(line.split("=", 1) for line in output.read_text().splitlines())

    def _use(self, step: Any) -> dict[str, str] | None:
        name = step["uses"].partition("@")[0]
        given = {key: self._expressions().text(one) for key, one in step.get("with", {}).items()}
        if name.startswith("./"):
            return self._composite(name, given)
        act: Callable[[Mapping[str, Any]], dict[str, str] | None] = getattr(
            self, name.replace("/", "_").replace("-", "_")
        )
        return act(given)

    def _composite(self, name: str, given: Mapping[str, Any]) -> None:
        action = yaml.load((self.workspace / name / "action.yml").read_text(), yaml.BaseLoader)
        self.inputs = {key: given.get(key, one.get("default", "")) for key, one in action["inputs"].items()}
        for step in action["runs"]["steps"]:
            self._step(step)
        self.inputs = {}
        assert self.outcome != "failure", name

    def actions_checkout(self, given: Mapping[str, Any]) -> None:
        assert given["persist-credentials"] == "false"
        git(self.workspace, "init", "-q")
        git(self.workspace, "fetch", "-q", "--depth=1", f"file://{self.services.origin}", self.run.ref)
        git(self.workspace, "checkout", "-q", "FETCH_HEAD")

    def actions_setup_python(self, given: Mapping[str, Any]) -> None:
        pass

    def actions_configure_pages(self, given: Mapping[str, Any]) -> dict[str, str]:
        return {"base_url": "https://example.org/guide"}

    def actions_deploy_pages(self, given: Mapping[str, Any]) -> dict[str, str]:
        shutil.rmtree(self.services.pages, ignore_errors=True)
        shutil.copytree(self._artifacts / "github-pages", self.services.pages)
        return {"page_url": "https://example.org/guide/"}

    def actions_upload_pages_artifact(self, given: Mapping[str, Any]) -> None:
        self.actions_upload_artifact({**given, "name": "github-pages"})

    def actions_upload_artifact(self, given: Mapping[str, Any]) -> None:
        source, to = self.workspace / given["path"], self._artifacts / given["name"]
        assert source.exists(), f"nothing to upload in {given['path']}"
        shutil.rmtree(to, ignore_errors=True)
        if source.is_dir():
            shutil.copytree(source, to, ignore=shutil.ignore_patterns(".*"))
        else:
            to.mkdir(parents=True)
            shutil.copy(source, to)

    def actions_download_artifact(self, given: Mapping[str, Any]) -> None:
        to = Path(self.workspace, given.get("path", ""))
        if name := given.get("name"):
            assert (self._artifacts / name).is_dir(), f"no artifact {name}"
            shutil.copytree(self._artifacts / name, to, dirs_exist_ok=True)
            return
        for found in self._artifacts.glob(given["pattern"]):
            shutil.copytree(found, to / found.name)

    def actions_cache(self, given: Mapping[str, Any]) -> None:
        self.actions_cache_restore(given)
        self.after.append(lambda: self.actions_cache_save(given))

    def actions_cache_restore(self, given: Mapping[str, Any]) -> None:
        """A pull request also finds what the main branch has kept; the main branch finds nothing of a pull request."""
        scopes = dict.fromkeys((self.run.ref, "refs/heads/main"))
        keys = [given["key"], *given.get("restore-keys", "").split()]
        for scope in scopes:
            for key in keys:
                found = [cache for cache in self._caches(scope) if cache[0].startswith(key)]
                if found:
                    shutil.copytree(max(found, key=lambda one: one[1])[2], self.workspace, dirs_exist_ok=True)
                    return

    def actions_cache_save(self, given: Mapping[str, Any]) -> None:
        if any(key == given["key"] for key, _, _ in self._caches(self.run.ref)):
            return
        number = time.time_ns()
        place = self.services.place / "caches" / str(number)
        patterns = given["path"].split()
        without = [one[1:] for one in patterns if one.startswith("!")]
        for pattern in (one for one in patterns if one[0] not in "!~"):
            for found in self.workspace.glob(pattern):
                name = found.relative_to(self.workspace).as_posix()
                if not any(fnmatch(name, one) for one in without):
                    copy = shutil.copytree if found.is_dir() else shutil.copy
                    (place / "kept" / name).parent.mkdir(parents=True, exist_ok=True)
                    copy(found, place / "kept" / name)
        if place.exists():
            (place / "key.json").write_text(json.dumps([self.run.ref, given["key"]]))

    @property
    def _artifacts(self) -> Path:
        return self.services.place / "artifacts" / str(self.run.number)

    def _caches(self, scope: str) -> Iterator[tuple[str, int, Path]]:
        for place in (self.services.place / "caches").glob("*"):
            ref, key = json.loads((place / "key.json").read_text())
            if ref == scope:
                yield key, int(place.name), place / "kept"
