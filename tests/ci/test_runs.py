"""Months of a guide: steps of the workflow, read from its files, in real repositories; lost is a cache at most."""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from generator.project.branch import BRANCH
from tests.ci import served
from tests.ci.runner import WRITES, Run, Services, git
from tests.cli.command import ROOT, write_corpus
from tests.encoders import write as write_encoder
from tests.hub import COMMIT, LATER, PRIVATE, TOKEN, serving
from tests.limits import SECONDS
from tests.project.wheels import write_wheel
from tests.published import only_from, published
from tests.ready import Ready
from tests.test_pipeline import write_project

TABLE = '[[model]]\nid = "{}"\n'
HUB = f'{TABLE}revision = "{COMMIT}"\n'


@dataclass(frozen=True)
class Guide:
    """A guide's repository: a working copy, and what GitHub does with what is pushed."""

    work: Path
    services: Services

    def push(self, models: str, ref: str = "refs/heads/main") -> None:
        """The list of models becomes this one."""
        config = self.work / "fieldguide.toml"
        config.write_text(config.read_text().partition("[[model]]")[0] + models)
        git(self.work, "add", "-A")
        git(self.work, "commit", "-q", "--allow-empty", "-m", "Another list")
        git(self.work, "push", "-q", "-f", "origin", f"HEAD:{ref}", TOKEN=WRITES)

    def branch(self) -> set[str]:
        """The files of the branch of results."""
        return set(git(self.services.origin, "ls-tree", "-r", "--name-only", BRANCH).splitlines())

    def kept(self) -> set[str]:
        """The models whose results are on that branch."""
        return {name.split("/")[1] for name in self.branch() if name.endswith("/manifest.json")}

    def commits(self) -> int:
        return int(git(self.services.origin, "rev-list", "--count", BRANCH))

    def page(self, address: str) -> str:
        """A page that is published."""
        return (self.services.pages / address / "index.html").read_text()

    def shown(self) -> set[str]:
        """The models that are published."""
        pages = self.services.pages.glob("models/*/index.html")
        return {one.parent.name for one in pages if "is no longer in this guide" not in one.read_text()}


@pytest.fixture(scope="module")
def guide(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guide]:
    place = tmp_path_factory.mktemp("runs")
    config = write_project(place / "work", [Path("alpha")], studies=False)
    work, origin = config.parent, place / "guide.git"
    config.write_text(config.read_text().replace(f"{work}/", "").replace("[analysis]", "also = []\n[analysis]"))
    write_corpus(work / "long.txt", 60)
    for name in ("alpha", "beta", "delta", "cut"):
        write_encoder("bert", work / name)
    (work / "cut" / "model.safetensors").write_bytes((work / "alpha" / "model.safetensors").read_bytes()[:1000])
    shutil.copytree(ROOT / ".github", work / ".github")
    shutil.copy(ROOT / "constraints.txt", work)
    (work / ".github/requirements/fieldguide.txt").write_text(f"{write_wheel(place)} --hash=sha256:{'0' * 64}\n")
    (work / ".gitignore").write_text("/build/\n/site/\n")
    git(place, "init", "-q", "--bare", str(origin))
    git(work, "init", "-q")
    git(work, "remote", "add", "origin", str(origin))
    services = Services(place / "services", origin)
    served.write(services.bin)
    with serving(published(place / "hub")) as hub, Ready(only_from(hub, place / "home")) as ready:
        serving_commands = ready.run(place / "said", "tests.ci.served", services.bin)
        end = time.monotonic() + SECONDS
        while not (services.bin / served.SOCKET).exists():
            assert serving_commands.poll() is None, serving_commands.err
            assert time.monotonic() < end
            time.sleep(0.01)
        yield Guide(work, services)
        serving_commands.kill()


def analysed(run: Run) -> dict[str, str]:
    """Model -> how its job ended."""
    return {name.partition("/")[2]: result for name, result in run.results.items() if name.startswith("analyze/")}


def test_months_of_a_guide(guide: Guide) -> None:
    """In this order, because each month begins with what the one before has left."""
    alpha, beta, private = TABLE.format("alpha"), TABLE.format("beta"), HUB.format(PRIVATE)
    gamma, south = (f'{beta}name = "{name}"\n' for name in ("gamma", "south"))
    secrets: Mapping[str, str] = {"HF_TOKEN": TOKEN}

    guide.push(alpha + TABLE.format("cut") + beta + private)
    run = guide.services.run(Run(secrets=secrets))
    assert analysed(run) == {"alpha": "success", "cut": "failure", "beta": "success", PRIVATE: "success"}
    assert run.failed
    slugs = {"alpha", "beta", PRIVATE.replace("/", "--")}
    assert (guide.kept(), guide.shown(), guide.commits()) == (slugs, slugs, 1), run.log
    assert "cut has no results that are up to date (new)" in run.summary
    assert "### alpha\n\n- This model is new" in run.summary
    manifest = f"{BRANCH}:models/{PRIVATE.replace('/', '--')}/manifest.json"
    assert json.loads(git(guide.services.origin, "show", manifest))["revision"] == COMMIT

    guide.push(alpha + gamma + HUB.format(PRIVATE).replace(COMMIT, LATER) + 'name = "mine"\n', "refs/pull/1/merge")
    run = guide.services.run(Run("pull_request", "refs/pull/1/merge", secrets, fork=True))
    assert analysed(run) == {"gamma": "success"}, "a private model is named, and keeps no other from being analysed"
    assert "mine: Expected" in run.summary
    assert "### gamma\n\n- This model is new" in run.summary
    assert run.results["comment"] == "success", "GitHub refuses the comment, which is no failure"
    assert not (guide.services.place / "comment.md").exists()
    assert (guide.kept(), guide.shown(), guide.commits()) == (slugs, slugs, 1)

    guide.services.evict()
    guide.push(alpha + gamma + private)

    def meanwhile() -> None:
        """Begins and ends while the other run has analysed and not yet kept."""
        guide.push(alpha + gamma + south + private)
        assert not guide.services.run(Run(secrets=secrets)).failed

    run = guide.services.run(Run(secrets=secrets, before={"keep": meanwhile}))
    assert analysed(run) == {"gamma": "success"}, "what is on the branch needs no cache"
    assert not run.failed, run.log
    assert "### beta\n\n- This model is gone." in run.summary
    assert "### alpha" not in run.summary, "it is neither new nor changed"
    assert "beta is no longer in this guide" in guide.page("models/beta/heads/3-4")
    slugs = slugs - {"beta"} | {"gamma"}
    assert (guide.kept(), guide.shown()) == (slugs | {"south"}, slugs)
    assert "gone/beta.json" in guide.branch()

    delta = f'{TABLE.format("delta")}corpora = ["twelve.txt", "long.txt"]\n'
    first = "build/results/.delta.parts/*/delta"
    guide.push(private + beta + delta)
    run = guide.services.run(Run(secrets=secrets, cancel=lambda work: any(work.glob(f"{first}/manifest.json"))))
    assert analysed(run) == {"beta": "success", "delta": "cancelled"}
    assert run.results["publish"] == "skipped"
    assert guide.kept() == slugs | {"south", "beta"}, "what was finished is kept, and nothing is published"
    assert guide.shown() == slugs
    begun, parts = time.time(), set[float]()
    watch = lambda work: parts.update(one.stat().st_mtime for one in work.glob(f"{first}/*.parquet"))  # noqa: E731
    run = guide.services.run(Run(secrets=secrets, cancel=watch))
    assert analysed(run) == {"delta": "success"}
    assert not run.failed, run.log
    assert parts
    assert max(parts) < begun, "the corpus that was finished is not read again"
    slugs = {PRIVATE.replace("/", "--"), "beta", "delta"}
    assert (guide.kept(), guide.shown()) == (slugs, slugs)
    assert {f"gone/{name}.json" for name in ("alpha", "gamma", "south")} <= guide.branch()
    assert "gone/beta.json" not in guide.branch(), "what is listed again is not gone"

    for name in ("alpha", "gamma", "south"):
        assert f"{name} is no longer in this guide" in guide.page(f"models/{name}")


def test_the_same_on_gitlab(guide: Guide, tmp_path: Path) -> None:
    """One model fails; then another leaves the list, and the cache brings its results back."""
    file = yaml.load((ROOT / ".github/gitlab-ci.yml").read_text(), yaml.BaseLoader)
    cache = tmp_path / "cache"

    def run(number: int, **variables: str) -> tuple[Path, str]:
        work = tmp_path / str(number)
        git(tmp_path, "clone", "-q", "--depth=1", f"file://{guide.services.origin}", str(work))
        shutil.copytree(cache, work, dirs_exist_ok=True) if cache.exists() else None
        project = {"CI_PROJECT_URL": str(guide.services.origin).removesuffix(".git"), "CI_COMMIT_SHA": "abc"}
        paths = {"HOME": str(tmp_path), "PATH": f"{guide.services.bin}:{os.environ['PATH']}"}
        here = os.environ | project | paths | {"CI_PAGES_URL": "https://example.org", "HF_TOKEN": TOKEN} | variables
        script = "\n".join(["set -e", *file["pages"]["script"]])
        done = subprocess.run(["bash", "-c", script], cwd=work, env=here, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        for name in file["pages"]["cache"][1]["paths"]:
            shutil.copytree(work / name, cache / name, dirs_exist_ok=True)
        return work, done.stdout

    guide.push(TABLE.format("alpha") + TABLE.format("cut") + TABLE.format("beta"))
    work, _ = run(1, RESULTS_TOKEN="writes", TOKEN=WRITES)
    assert (work / "public/models/alpha/index.html").exists(), "what works is published"
    check = ["bash", "-c", "\n".join(file["models"]["script"])]
    assert subprocess.run(check, cwd=work, check=False).returncode == 1, "and the pipeline fails"
    assert guide.kept() == {"alpha", "beta"}

    guide.push(TABLE.format("alpha"))
    work, told = run(2)
    assert "### beta\n\n- This model is gone." in told
    assert (work / "build/results/beta").is_dir(), "the cache brings it back"
    assert "beta is no longer in this guide" in (work / "public/models/beta/index.html").read_text()
    assert "beta" not in (work / "public/models/index.html").read_text()
    assert subprocess.run(check, cwd=work, check=False).returncode == 0
    assert guide.kept() == {"alpha", "beta"}, "without a token nothing is written"
