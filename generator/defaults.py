"""Default values, used where neither the settings file nor an option says otherwise.

The command line shows them in its help. They are kept apart from `config`, which checks what a person sets, so that
help does not have to load the library that does the checking.
"""

from pathlib import Path
from typing import Literal

FILE = "fieldguide.toml"
"""The settings file."""
RESULTS = Path("build/results")
"""Where analyses are written."""
CORPORA = ("articles", "treebank", "questions")
"""The corpora that come with the program."""
MAX_TOKENS = 128
SEED = 0
ENTROPY_SMOOTHING = 0.0
SEGMENT_IDS = True
STUDIES = True
Device = Literal["auto", "cpu", "cuda", "mps"]
DEVICE: Device = "auto"
Precision = Literal["float32", "tf32", "bfloat16"]
PRECISION: Precision = "float32"
Executor = Literal["local", "processes", "ray"]
EXECUTOR: Executor = "local"
