"""What every part of the benchmark shares: seconds of a processor, and the line that says what was found."""

import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def tell(what: str, found: str, bound: str) -> None:
    print(f"{what:<66} {found:>10}   {bound}", flush=True)


def cpu(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start
