"""What holds where neither the settings file nor an option says otherwise.

The command line shows these values in its help. They stand apart from `config`, which checks what a person sets, so
that help need not wait for the library that does so.
"""

from pathlib import Path
from typing import Literal

FILE = "fieldguide.toml"
"""The settings file."""
RESULTS = Path("build/results")
"""Where analyses are written."""
CORPORA = ("articles", "treebank", "questions")
"""Those that come with the program."""
MAX_TOKENS = 128
SEED = 0
ENTROPY_SMOOTHING = 0.0
SEGMENT_IDS = True
STUDIES = True
Device = Literal["auto", "cpu", "cuda", "mps"]
DEVICE: Device = "auto"
Executor = Literal["local", "processes", "ray"]
EXECUTOR: Executor = "local"
