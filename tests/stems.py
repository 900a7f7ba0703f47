"""Processes that begin as copies of one that has loaded the libraries, where a new one would take seconds to load them.

Variables that a library reads when it is loaded, and what the program's own code means, are those of the first process.
Else nothing goes from one copy to the next.
"""

import atexit
import gc
import json
import os
import signal
import socket
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from importlib import import_module
from multiprocessing import forkserver, util
from pathlib import Path
from unittest.mock import patch

KEPT = "FIELDGUIDE_TESTS_KEPT"
"""The variable that names a folder in which all processes of a run keep what takes long to make."""
LIBRARIES = (
    *("altair", "numba", "pandas", "pyarrow.parquet", "scipy.stats", "sklearn.linear_model"),
    *("torch", "torch._dynamo", "torch.distributed.tensor", "torch.export"),
)
"""What reads no variable that a test sets, and knows nothing of the program; the last are what Transformers loads."""
HUBS = ("HF_", "HUGGINGFACE_", "TRANSFORMERS_", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
"""How variables begin that say where hubs are and what they may be asked."""
OF_HUBS = ("transformers.models.bert.modeling_bert",)
"""What reads these variables, and knows nothing of the program."""
READING = ("accelerate", "huggingface_hub", "transformers")
"""The packages that hold what they have read of these variables."""
OURS = ("generator", "tests")
"""The packages that a copy of the project loads anew."""
PROGRAM = (
    *(
        "generator.analysis",
        "generator.cli.app",
        "generator.topics.learning.run.curve.runs",
        "generator.site.models.maker",
    ),
    *("tests.encoders", "tests.ready", *OF_HUBS),
)


class Stem:
    """This process as it is now, of which others begin as copies. It ends with this process."""

    def __init__(self, without: Collection[str] = ()) -> None:
        """Packages that others are to load anew are left out: pytest may have loaded some of their modules by now."""
        mine, theirs = socket.socketpair()
        copied(lambda: _grow(theirs, without), [theirs.fileno()])
        theirs.close()
        self._line = mine.detach()

    def begin(self, line: socket.socket, variables: Mapping[str, str], root: Path) -> None:
        """A copy loads what is missing of the program in a folder, and answers at this end of a line."""
        request = json.dumps([str(root), dict(variables)]).encode() + b"\n"
        with socket.socket(fileno=os.dup(self._line)) as mine:
            sent = socket.send_fds(mine, [request], [line.fileno()])
            mine.sendall(request[sent:])


STEMS: dict[str, Stem] = {}
"""What it has loaded -> the process."""


def stem_for(variables: Mapping[str, str] | None) -> Stem:
    """The one that has loaded most of what these variables leave as it is; without variables, all."""
    if variables is None:
        return STEMS["program"]
    here, there = (
        {name: value for name, value in of.items() if name.upper().startswith(HUBS)} for of in (os.environ, variables)
    )
    return STEMS["the same hubs" if here == there else "libraries"]


def load() -> None:
    """Load the libraries and the program. From then on, workers begin as copies of such a process, too."""
    for stem, names, without in (("libraries", LIBRARIES, (*OURS, *READING)), ("the same hubs", OF_HUBS, OURS)):
        for name in names:
            import_module(name)
        STEMS[stem] = Stem(without)
    _load_program()
    STEMS["program"] = Stem()
    with patch.object(util, "spawnv_passfds", spawned):
        forkserver.ensure_running()


def _load_program() -> None:
    for name in PROGRAM:
        import_module(name)
    import_module("tests.drawn").keep()


def spawned(
    program: str, words: Sequence[str], kept: Sequence[int], otherwise: Callable[..., int] = util.spawnv_passfds
) -> int:
    """As `util.spawnv_passfds`, but the process of which all workers are copies is a copy of this one."""
    if "multiprocessing.forkserver" not in words[-1]:
        return otherwise(program, words, kept)

    def serve() -> None:
        forkserver._forkserver.__init__()  # its lock is held
        exec(words[-1], {})

    return copied(serve, kept)


def copied(act: Callable[[], object], kept: Sequence[int]) -> int:
    """A copy of this process does something and ends, with these files open and no others; gives its number."""
    gc.freeze()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # other threads are not copied, and nothing waits for them
        number = os.fork()
    if number:
        return number
    code = 1
    try:
        _by_itself(kept)
        act()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
        if end.code is not None and not isinstance(end.code, int):
            print(end.code, file=sys.stderr)
    except BaseException:  # noqa: BLE001 - nothing of the first process goes on here
        traceback.print_exc()
    finally:
        threading._shutdown()
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code)


def _by_itself(kept: Sequence[int]) -> None:
    """What pytest has set up in the first process is undone."""
    first = 3
    for number in sorted(kept):
        os.closerange(first, number)
        first = number + 1
    os.closerange(first, os.sysconf("SC_OPEN_MAX"))
    for number, (name, mode) in enumerate({"stdin": "r", "stdout": "w", "stderr": "w"}.items()):
        lines = 1 if name == "stderr" else -1
        stream = open(number, mode, lines, "utf-8", "backslashreplace", closefd=False)  # noqa: SIM115 - stays open
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    sys.meta_path[:] = [one for one in sys.meta_path if type(one).__module__ != "_pytest.assertion.rewrite"]
    sys.excepthook, sys.unraisablehook = sys.__excepthook__, sys.__unraisablehook__
    threading.excepthook = threading.__excepthook__


def _grow(line: socket.socket, without: Collection[str]) -> None:
    """For each request a copy begins."""
    for name in [module for module in sys.modules if module.partition(".")[0] in without]:
        del sys.modules[name]
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how they end
    while True:
        request, numbers, _, _ = socket.recv_fds(line, 1 << 16, 1)
        while request and not request.endswith(b"\n"):
            request += line.recv(1 << 16)
        if not request:
            os._exit(0)
        root, variables = json.loads(request)
        copied(partial(_begin, numbers[0], root, variables), numbers)
        os.close(numbers[0])


def _begin(line: int, root: str, variables: Mapping[str, str]) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.environ.clear()
    os.environ.update(variables)
    os.chdir(root)
    if PROGRAM[0] not in sys.modules:
        here = str(Path(__file__).resolve().parents[1])
        first = [*filter(None, variables.get("PYTHONPATH", "").split(os.pathsep)), root]
        sys.path[:] = dict.fromkeys([*first, *(one for one in sys.path if one not in ("", here))])
        _load_program()
    util.spawnv_passfds = spawned
    import_module("tests.ready").answer(socket.socket(fileno=line))
