"""`python -m tests.ci.year`: twelve months of a guide that `fieldguide init` made, from the wheel of this checkout.

Models come, go, are renamed and fail, caches are dropped, a run is cancelled, and another version of the program comes.
Each month is a commit from a fresh clone, and what GitHub would do is done by `tests.ci.runner`. At the end the same
list is analysed and built at once, by a repository that knows nothing but which models were there: the results on the
branch and all published pages must be the same to the byte.

It takes a quarter of an hour. `tests.dry_run` runs it once a week, with the environment of a new user, and at any other
time its beginning.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from generator import __version__
from generator.project.branch import BRANCH
from tests.ci import served
from tests.ci.runner import WRITES, Run, Services, git
from tests.encoders import write as write_encoder
from tests.hub import COMMIT, LATER, serving
from tests.limits import SECONDS
from tests.published import only_from, published

ROOT = Path(__file__).resolve().parents[2]
REQUIREMENTS = Path(".github/requirements")
SETTINGS = ("[analysis]\n", "[analysis]\ndocuments = 4\nmax_tokens = 64\n")
"""What is written into the settings besides the list of models, to save time."""
OTHER = (
    ("generator/__init__.py", f'__version__ = "{__version__}"', f'__version__ = "{__version__}.post1"'),
    ("generator/survey/task.py", "        return self.cost * (", "        return 1 * self.cost * ("),
)
"""What another version changes: its number, and code that every study depends on."""
PIP = """#!/usr/bin/env bash
while [ $# -gt 0 ]; do
  if [ "$1" = --requirement ]; then
    grep -q -- --hash=sha256: "$2" || exit 1
    if wheel=$(grep -o '[^ ]*[.]whl' "$2"); then
      echo "$(grep -o 'sha256:[0-9a-f]*' "$2" | cut -d: -f2)  $wheel" | sha256sum --check --quiet || exit 1
      echo "$(dirname "$0")/$(basename "$wheel")" > "$HOME/program"
    fi
  fi
  shift
done
"""
"""Compares the wheel of the guide with its hash; from then on the job has the program that was made from it."""
FIELDGUIDE = """#!/usr/bin/env bash
exec "$(cat "$HOME/program")/fieldguide" "$@"
"""


@dataclass
class Year:
    """A guide's repository and all that GitHub keeps of it."""

    place: Path
    services: Services
    months: list[str] = field(default_factory=list)
    """What each month was about."""

    @classmethod
    def of(cls, place: Path, name: str, programs: Path) -> "Year":
        """An empty repository, whose jobs have the programs that lie in a folder."""
        origin = place / f"{name}.git"
        git(place, "init", "-q", "--bare", str(origin))
        services = Services(place / f"{name}-services", origin)
        for file, script in {"pip": PIP, "fieldguide": FIELDGUIDE}.items():
            (services.bin / file).write_text(script)
            (services.bin / file).chmod(0o755)
        for program in programs.iterdir():
            (services.bin / program.name).symlink_to(program)
        return cls(place, services)

    def month(self, about: str, change: Callable[[Path], None], *, fails: bool = False, **run: object) -> Run:
        """Somebody clones the guide, changes it, and pushes; then the workflow runs."""
        self.months.append(about)
        clone = self.place / f"clone-{len(self.months)}"
        git(self.place, "clone", "-q", str(self.services.origin), str(clone))
        change(clone)
        git(clone, "add", "-A")
        git(clone, "commit", "-q", "--allow-empty", "-m", about)
        git(clone, "push", "-q", "origin", "HEAD:refs/heads/main", TOKEN=WRITES)
        shutil.rmtree(clone)
        ended = self.services.run(Run(**run))  # type: ignore[arg-type]
        expect(f"{about}: to {'fail' if fails else 'succeed'}", ended.failed == fails, ended.log[-3000:])
        done = {name.partition("/")[2]: result for name, result in ended.results.items() if name.startswith("analyze/")}
        sys.stdout.write(f"month {len(self.months)}, {about}: {done or 'nothing to analyse'}\n")
        sys.stdout.flush()
        return ended

    def pages(self) -> dict[Path, bytes]:
        """Every file that is published."""
        root = self.services.pages
        return {path.relative_to(root): path.read_bytes() for path in root.rglob("*") if path.is_file()}

    def shown(self) -> set[str]:
        """The models that are published."""
        pages = self.services.pages.glob("models/*/index.html")
        return {page.parent.name for page in pages if "is no longer in this guide" not in page.read_text()}


def expect(what: str, holds: bool, found: object = "") -> None:
    """End with a sentence unless it holds."""
    if not holds:
        raise SystemExit(f"Expected {what}; found: {found}")


def model(name: str, more: str = "") -> str:
    """A table of the list."""
    return f'\n[[model]]\nid = "{name}"\n{more}'


def listing(*tables: str) -> Callable[[Path], None]:
    """The list of models becomes this one, by hand."""

    def change(guide: Path) -> None:
        config = guide / "fieldguide.toml"
        config.write_text(config.read_text().partition("\n[[model]]")[0].rstrip() + "\n" + "".join(tables))

    return change


def all_of(*changes: Callable[[Path], None]) -> Callable[[Path], None]:
    """One change after the other."""

    def change(guide: Path) -> None:
        for one in changes:
            one(guide)

    return change


def putting(models: Path, *names: str) -> Callable[[Path], None]:
    """Models are put into the repository."""

    def change(guide: Path) -> None:
        for name in names:
            shutil.copytree(models / name, guide / "models" / name, dirs_exist_ok=True)

    return change


def taking(wheel: Path) -> Callable[[Path], None]:
    """The guide takes another version of the program, as its page says: the wheel and that line."""

    def change(guide: Path) -> None:
        line = guide / REQUIREMENTS / "fieldguide.txt"
        for old in (guide / REQUIREMENTS).glob("*.whl"):
            old.unlink()
        shutil.copy(wheel, guide / REQUIREMENTS)
        sha256 = hashlib.sha256(wheel.read_bytes()).hexdigest()
        line.write_text(f"./{REQUIREMENTS.as_posix()}/{wheel.name} --hash=sha256:{sha256}\n")

    return change


ALPHA, BETA, GAMMA = model("models/alpha"), model("models/beta"), model("models/beta", 'name = "gamma"\n')
HUB, NEWER = (model("tiny/bert", f'revision = "{commit}"\n') for commit in (COMMIT, LATER))
CUT, DELTA = model("models/cut"), model("models/delta")


def begin(year: Year, models: Path) -> None:
    """The first two months."""
    year.month("two models", all_of(putting(models, "alpha"), listing(ALPHA, HUB)))
    expect("both to be shown", year.shown() == {"alpha", "tiny--bert"}, year.shown())
    year.month("a third comes", all_of(putting(models, "beta"), listing(ALPHA, HUB, BETA)))


def go_on(year: Year, models: Path, other: Path) -> None:
    """The ten months after them."""
    year.month("the first goes", listing(HUB, BETA))
    expect("it to be gone", year.shown() == {"beta", "tiny--bert"}, year.shown())
    year.month("one is renamed", listing(HUB, GAMMA))
    year.month("one fails", all_of(putting(models, "cut"), listing(HUB, GAMMA, CUT)), fails=True)
    expect("the others to be published", year.shown() == {"gamma", "tiny--bert"}, year.shown())
    before = year.pages()
    year.services.evict()
    run = year.month("all caches are dropped", listing(HUB, GAMMA, CUT), fails=True)
    expect("nothing but what failed to be analysed", run.results.get("analyze") == "failure", run.results)
    changed = [name for name, found in year.pages().items() if before.get(name) != found]
    expect("the same pages", not changed, changed)
    year.month("what failed is mended", all_of(putting(models / "whole", "cut"), listing(HUB, GAMMA, CUT)))
    run = year.month("another version of the program", taking(other))
    again = {name for name in run.results if name.startswith("analyze/")}
    expect("all to be analysed again", len(again) == 3, run.results)
    year.month("a newer commit on the hub", listing(NEWER, GAMMA, CUT))
    year.month("what had gone comes back", listing(ALPHA, NEWER, GAMMA, CUT))
    year.services.evict()
    first = "build/results/.delta.parts/*/delta/manifest.json"
    change = all_of(putting(models, "delta"), listing(ALPHA, NEWER, GAMMA, CUT, DELTA))
    year.month("a run is cancelled", change, fails=True, cancel=lambda work: any(work.glob(first)))
    expect("nothing of it to be published", "delta" not in year.shown(), year.shown())
    year.month("a name comes back, and another model goes", listing(ALPHA, NEWER, BETA, DELTA))
    expect("the list to be shown", year.shown() == {"alpha", "tiny--bert", "beta", "delta"}, year.shown())
    ended = year.services.run(Run("schedule"))
    expect("nothing to be analysed in a quiet week", ended.results["analyze"] == "skipped", ended.results)
    expect("it to succeed", not ended.failed, ended.log[-3000:])


def compare(year: Year, at_once: Year) -> None:
    """The same list, analysed and built at once: what is published and kept is the same."""
    clone = year.place / "record"
    git(year.place, "clone", "-q", "--branch", BRANCH, str(year.services.origin), str(clone))
    git(clone, "rm", "-q", "-r", "models")
    git(clone, "checkout", "-q", "--orphan", "record")
    git(clone, "commit", "-q", "-m", "Which models were there")
    origin = str(at_once.services.origin)
    git(clone, "push", "-q", origin, f"HEAD:refs/heads/{BRANCH}", "origin/main:refs/heads/main", TOKEN=WRITES)
    ended = at_once.services.run(Run())
    expect("the guide that is built at once to be built", not ended.failed, ended.log[-3000:])
    trees = [{*git(one.services.origin, "ls-tree", "-r", f"{BRANCH}:models").splitlines()} for one in (year, at_once)]
    expect("the same results on the branch", trees[0] == trees[1], trees[0] ^ trees[1])
    ours, theirs = year.pages(), at_once.pages()
    differing = sorted(str(name) for name in {*ours, *theirs} if ours.get(name) != theirs.get(name))
    expect("the same bytes on every page", not differing, f"{len(differing)} of {len(ours)} differ: {differing[:20]}")
    sys.stdout.write(f"{len(trees[0])} files of results and {len(ours)} pages and files are the same\n")


def build_wheel(place: Path, changes: tuple[tuple[str, str, str], ...] = ()) -> Path:
    """The wheel of this checkout, or of a copy with changes: file, what stands there, and what is to stand there."""
    source = place / "source"
    names = git(ROOT, "ls-files").splitlines()
    for name in names:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, source / name)
    for name, old, new in changes:
        text = (source / name).read_text()
        expect(f"{old!r} in {name}", old in text)
        (source / name).write_text(text.replace(old, new))
    run("pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(place), str(source))
    (wheel,) = place.glob("*.whl")
    return wheel


def run(*module: str, python: str = sys.executable, **how: object) -> None:
    """`python -m` with these words. Raises CalledProcessError."""
    subprocess.run((python, "-m", *module), check=True, **how)  # type: ignore[call-overload]


@contextmanager
def serving_programs(python: str, place: Path, wheels: list[Path], variables: Mapping[str, str]) -> Iterator[Path]:
    """A folder in which each wheel has one of its own, with the command that the wheel makes, libraries loaded once."""
    programs, beside = place / "programs", place / "beside"
    programs.mkdir()
    beside.mkdir()
    (beside / "tests").symlink_to(ROOT / "tests")
    with ExitStack() as held:
        for wheel in wheels:
            target = place / f"installed-{wheel.name}"
            run("pip", "install", "--quiet", "--no-deps", "--target", str(target), str(wheel), python=python)
            served.write(programs / wheel.name)
            words = (python, "-m", "tests.ci.served", str(programs / wheel.name))
            here = {**variables, "PYTHONPATH": str(target)}
            process = held.enter_context(subprocess.Popen(words, cwd=beside, env=here))
            held.callback(process.kill)
            end = time.monotonic() + SECONDS
            while not (programs / wheel.name / served.SOCKET).exists():
                expect(f"{wheel.name} to begin", process.poll() is None and time.monotonic() < end)
                time.sleep(0.05)
        yield programs


def make_guide(python: str, place: Path, wheel: Path, at: Path, variables: Mapping[str, str]) -> None:
    """What `init` of an installed wheel makes, and nothing else but settings that save time."""
    here = {**variables, "PYTHONPATH": str(place / f"installed-{wheel.name}")}
    run("fieldguide", "init", str(at), "--program", str(wheel), python=python, cwd=place, env=here)
    config = at / "fieldguide.toml"
    expect("the settings that init writes", SETTINGS[0] in config.read_text(), config.read_text())
    config.write_text(config.read_text().replace(*SETTINGS))


def run_year(python: str, place: Path, *, whole: bool = True) -> Year:
    """The year, and the comparison at its end, or its beginning alone; `python` is of an environment that has what the
    wheel needs.
    """
    models = place / "made"
    for name in ("alpha", "beta", "delta"):
        write_encoder("bert", models / name)
    mended = write_encoder("bert", models / "whole" / "cut")
    shutil.copytree(mended, models / "cut")
    (models / "cut" / "model.safetensors").write_bytes((mended / "model.safetensors").read_bytes()[:1000])
    wheel, other = build_wheel(place / "one"), build_wheel(place / "other", OTHER)
    with serving(published(place / "hub")) as hub:
        variables = only_from(hub, place / "home")
        variables.pop("PYTHONPATH", None)
        with serving_programs(python, place, [wheel, other], variables) as programs:
            year, at_once = (Year.of(place, name, programs) for name in ("guide", "at-once"))
            made = place / "guide"
            make_guide(python, place, wheel, made, variables)
            git(made, "init", "-q")
            git(made, "add", "-A")
            git(made, "commit", "-q", "-m", "A guide")
            git(made, "push", "-q", str(year.services.origin), "HEAD:refs/heads/main", TOKEN=WRITES)
            begin(year, models)
            if whole:
                go_on(year, models, other)
                compare(year, at_once)
            return year


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        run_year(sys.executable, Path(name))
