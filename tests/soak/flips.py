"""Bits that flip in what a build finds: results, and what it remembers. The site stays what it was, or a sentence says
what is damaged.
"""

import random
import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.builds.test_remembered import flip
from tests.soak.kills import Bench

COMMAND = "build"
FILES = 3
"""The most files that are damaged before one build."""


def flips(
    bench: Bench, times: int, draw: random.Random, kept: Counter[str], report: Callable[[str], None]
) -> list[str]:
    """Flip at least so many bits, one in each of up to three files before every build; gives what was lost.

    Half of the files keep their time, as where a disk fails; the others look as if they had been written.
    """
    losses = []
    bench.run(COMMAND)
    sound = bench.root / "sound"
    shutil.copytree(bench.root / "project", sound, dirs_exist_ok=True)
    while kept["bits"] < times:
        files = [path for path in sorted((bench.root / "project" / "build").rglob("*")) if _has_bits(path)]
        damaged = draw.sample(files, draw.randint(1, FILES))
        for path in damaged:
            flip(path, draw)
            if draw.random() < 0.5:
                path.touch()
        code, found = bench.run(COMMAND)
        places = Counter("results" if "results" in path.parts else "remembered" for path in damaged)
        kept.update({"bits": len(damaged), "builds": 1, **{f"in {place}": count for place, count in places.items()}})
        outcome = (
            "refused" if code else "the same site" if site(found) == site(bench.whole[COMMAND]) else "another site"
        )
        kept[outcome] += 1
        if outcome == "another site" or code not in (0, 1):
            losses.append(f"flips: {outcome}, exit {code}: {', '.join(path.name for path in damaged)}")
        if code:
            shutil.rmtree(bench.root / "project")
            shutil.copytree(sound, bench.root / "project")
        report(f"flips {dict(kept)}, losses {len(losses)}")
    return losses


def site(made: Mapping[str, bytes]) -> dict[str, bytes]:
    """Of what a build makes, the site."""
    return {name: body for name, body in made.items() if name.startswith("project/site/")}


def _has_bits(path: Path) -> bool:
    return path.is_file() and not path.is_symlink() and path.stat().st_size > 0
