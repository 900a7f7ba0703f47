"""How long a test waits for another process before it calls it hung."""

SECONDS = 600
"""Ten times what the slowest of them needs on an idle machine: a limit is there for what never ends, not for a race."""
