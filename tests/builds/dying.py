"""Workers that die while they make models; a module of little, because each worker loads it."""

import os
import signal

from generator.progress import Report
from generator.site.models import made


def dying_once(share: made.Share, report: Report) -> None:
    """A worker that dies after its first model, and another one that takes over."""
    first, *_ = share.models
    made.work(made.Share(share.maker, share.folder, [first]), report)
    mark = share.folder / f"{first.manifest.slug}.died"
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    made.work(share, report)


def dying(share: made.Share, report: Report) -> None:
    """A worker that dies."""
    os.kill(os.getpid(), signal.SIGKILL)
