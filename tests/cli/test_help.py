"""What the command says of itself: its help, its options and its version, soon and without heavy libraries."""

import json
import subprocess
import sys
from importlib import metadata

import click
import pytest

from generator.cli.app import app
from tests.cli.command import ROOT, Outcome, fieldguide
from tests.limits import SECONDS

GROUPS = {"": app, **{name: found for name, found in app.commands.items() if isinstance(found, click.Group)}}
COMMANDS = {f"{group} {name}".strip(): found for group, of in GROUPS.items() for name, found in of.commands.items()}
EACH_HELP = """
import sys
before = {*sys.modules}
import json, time
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from generator.cli.app import main
found = {}
for command in sys.argv[1:]:
    sys.argv = ["fieldguide", *command.split(), "--help"]
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        try:
            main()
        except SystemExit as end:
            found[command] = [end.code or 0, out.getvalue(), err.getvalue()]
print(json.dumps({"found": found, "modules": sorted({*sys.modules} - before), "seconds": time.process_time()}))
"""


@pytest.fixture(scope="module")
def helps():
    """What `--help` printed for the program and each command, and what that took, in a fresh process."""
    command = [sys.executable, "-c", EACH_HELP, "", *COMMANDS]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_is_printed_on_stdout(helps, command):
    code, out, err = helps["found"][command]
    assert (code, err) == (0, "")
    assert out.startswith(f"Usage: fieldguide {command}".strip())


def test_help_loads_no_library_but_click(helps):
    names = {module.partition(".")[0] for module in helps["modules"]}
    assert names - sys.stdlib_module_names == {"click", "generator"}


@pytest.mark.parametrize("group", GROUPS)
def test_commands_are_listed_in_the_order_of_the_work(helps, group):
    listed = helps["found"][group][1].partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in listed] == list(GROUPS[group].commands)


@pytest.mark.parametrize("module", ["generator.pipeline", "generator.site.plugin"])
def test_a_site_of_stored_results_is_made_without_what_runs_models_or_makes_charts(module):
    """They would take three quarters of the time until a build begins; charts are kept from the build before."""
    run = f"import {module}, sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", run], cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=True
    )
    slow = {"torch", "transformers", "tokenizers", "numba", "altair", "scipy"}
    assert slow.isdisjoint(done.stdout.split())


def test_help_for_every_command_together_takes_less_than_two_seconds_of_a_processor(helps):
    assert helps["seconds"] < 2


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_has_a_help_text_that_its_help_shows(helps, name):
    text = " ".join(helps["found"][name][1].split())
    command = COMMANDS[name]
    assert command.help
    assert command.help.split("\n")[0].split()[0] in text
    for option in command.params:
        assert option.help, option.name
        assert " ".join(option.help.split()) in text


def test_the_version_is_that_of_the_package():
    assert fieldguide("--version") == Outcome(0, f"fieldguide {metadata.version('fieldguide')}\n", "")
