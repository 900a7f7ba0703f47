"""Hooks on a model that several threads may run at the same time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import get_ident
from typing import Any

from torch.utils.hooks import RemovableHandle


@contextmanager
def hooked(register: Callable[[Callable[..., Any]], RemovableHandle], hook: Callable[..., Any]) -> Iterator[None]:
    """While the block runs, `hook` is called where `register` puts it, but only for what this thread runs."""
    here = get_ident()
    handle = register(lambda *given: hook(*given) if get_ident() == here else None)
    try:
        yield
    finally:
        handle.remove()
