"""`python -m tests.made_encoders`: which heads of encoders made by hand, and of random weights, the gate names.

    python -m tests.made_encoders [--seeds 20] [--english 2] [--untrained 5] [--only NUMBER ...]

Prints a line for each encoder: of how many seeds the true head has its name, and the false head the name that it only
seems to have. Exit code 1 if a true one is missing, a false one or one that nobody expects is named, or C20 holds for
random weights. With the first seeds, encoders that can read English read the project's treebank as well and, where
FIELDGUIDE_DATA is set, two public ones.
"""

import argparse
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

import torch

from generator.corpora.catalogue import FOLDER
from tests.made_encoders.encoders import ENCODERS, Made
from tests.made_encoders.trials import tried
from tests.made_encoders.untrained import FROM_GEOMETRY, untrained

PUBLIC = ("ud-english-ewt-test", "ud-english-gum-test")


def main() -> int:
    """Try all encoders and print the counts."""
    asked = argparse.ArgumentParser(prog="python -m tests.made_encoders")
    asked.add_argument("--seeds", type=int, default=20)
    asked.add_argument("--english", type=int, default=2)
    asked.add_argument("--untrained", type=int, default=5)
    asked.add_argument("--only", type=int, nargs="*", choices=range(1, len(ENCODERS) + 1), metavar="NUMBER")
    options = asked.parse_args()
    torch.set_num_threads(1)
    chosen = options.only or range(1, len(ENCODERS) + 1)
    met = [_count(number, ENCODERS[number - 1], options.seeds, options.english) for number in chosen]
    met += [_random(sharp, options.untrained) for sharp in FROM_GEOMETRY]
    return int(not all(met))


def _count(number: int, made: Made, seeds: int, english: int) -> bool:
    public = PUBLIC if made.natural and os.environ.get(FOLDER) else ()
    natural = [*made.natural, *public]
    found = [tried(made, seed, *(natural if seed < english else ())) for seed in range(seeds)]
    named, misled = sum(one.named for one in found), sum(one.misled for one in found)
    others = Counter(name for one in found for name in one.others)
    refused = Counter(one.refused for one in found)
    _say(f"{number:2} {made.title}")
    _say(f"   true: {' '.join(made.named)}, named {named} of {seeds}")
    _say(f"   false: {' '.join(made.seems)}, named {misled} of {seeds}; refused by {dict(refused)}")
    _say(f"   other names: {dict(others) or 'none'}")
    if natural:
        _say(f"   {english} of them read {', '.join(natural)} as well")
    return named == seeds and not misled and not others


def _random(sharp: bool, seeds: int) -> bool:
    met = True
    for seed in range(seeds):
        with tempfile.TemporaryDirectory() as folder:
            found = untrained(Path(folder), seed, sharp=sharp)
        told = f"named {found.named}, leaning {found.leaning}, C20 {found.directed}"
        _say(f"random weights, {'sharp' if sharp else 'plain'}, seed {seed}: {told}")
        met = met and found.named == FROM_GEOMETRY[sharp] and not found.leaning and found.directed != "holds"
    return met


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
