"""Weights as files: half precision, one after the other, cut into shards with checksums."""

import zlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

MOST = 8_000_000
"""The most bytes of a shard."""


def packed(parts: Mapping[str, np.ndarray]) -> tuple[list[dict[str, Any]], dict[str, bytes]]:
    """The record of the shards, and their content by name."""
    # The script reads pairs of bytes, the lower one first.
    stream = b"".join(part.astype("<f2").tobytes() for part in parts.values())
    files = {f"{at}.bin": stream[start : start + MOST] for at, start in enumerate(range(0, len(stream), MOST))}
    records = [{"name": name, "bytes": len(shard), "crc32": zlib.crc32(shard)} for name, shard in files.items()]
    return records, files


def places(parts: Mapping[str, np.ndarray]) -> Iterator[tuple[str, int, int]]:
    """The name of each part, where it begins and how many numbers it has."""
    start = 0
    for name, part in parts.items():
        yield name, start, part.size
        start += part.size
