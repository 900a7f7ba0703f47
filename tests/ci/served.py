"""`python -m tests.ci.served PLACE`: does what the command is asked that `write` puts there; libraries are loaded once.

Each call is a copy of this process, in the folder and with the variables of its caller, and ends when the caller does.
"""

import json
import os
import select
import signal
import socket
import sys
from importlib import import_module
from pathlib import Path

from generator.cli.app import main
from tests.stems import LIBRARIES, PROGRAM, copied

SOCKET = "socket"
CLIENT = """#!{python} -SE
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as line:
    line.connect("{place}/socket")
    asked = json.dumps([os.getcwd(), sys.argv, dict(os.environ)]).encode() + b"\\n"
    sent = socket.send_fds(line, [asked], [0, 1, 2])
    line.sendall(asked[sent:])
    sys.exit(int(line.recv(16) or 1))
"""


def write(place: Path) -> None:
    """The command, as an executable file of a few lines."""
    place.mkdir(parents=True, exist_ok=True)
    command = place / "fieldguide"
    command.write_text(CLIENT.format(python=sys.executable, place=place))
    command.chmod(0o755)


def serve(place: Path) -> None:
    """Answer each caller in turn, for ever."""
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(f"{place}/{SOCKET}")
        door.listen()
        while True:
            line, _ = door.accept()
            with line:
                _answer(line)


def _answer(line: socket.socket) -> None:
    asked, files, _, _ = socket.recv_fds(line, 1 << 16, 3)
    while not asked.endswith(b"\n"):
        asked += line.recv(1 << 16)
    folder, words, variables = json.loads(asked)

    def call() -> None:
        for number, file in enumerate(files):
            os.dup2(file, number)
        sys.stdout, sys.stderr = (os.fdopen(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(variables)
        sys.argv = ["fieldguide", *words[1:]]
        main()

    number = copied(call, files)
    for file in files:
        os.close(file)
    while not (ended := os.waitpid(number, os.WNOHANG))[0]:
        if select.select([line], [], [], 0.02)[0]:  # the caller is gone
            os.kill(number, signal.SIGTERM)
            ended = os.waitpid(number, 0)
            break
    if not select.select([line], [], [], 0)[0]:
        line.sendall(str(os.waitstatus_to_exitcode(ended[1])).encode())


if __name__ == "__main__":
    for name in (*LIBRARIES, *PROGRAM):
        import_module(name)
    serve(Path(sys.argv[1]))
