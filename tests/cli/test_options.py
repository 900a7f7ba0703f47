"""A command's function takes what its options give: the same names, and the types that their values have."""

from pathlib import Path
from typing import Any, Literal, get_type_hints

import click
import pytest

from generator.cli.app import app

TYPES: dict[type, type] = {
    click.types.StringParamType: str,
    click.types.BoolParamType: bool,
    click.types.IntParamType: int,
    click.types.IntRange: int,
    click.types.FloatParamType: float,
    click.Path: Path,
}


def commands(group: click.Group, before: str = "") -> dict[str, click.Command]:
    """Every command below a group, groups too, by what a person types."""
    found: dict[str, click.Command] = {}
    for name, command in group.commands.items():
        found[f"{before}{name}"] = command
        if isinstance(command, click.Group):
            found |= commands(command, f"{before}{name} ")
    return found


COMMANDS = commands(app)


def given(parameter: click.Parameter) -> Any:
    """The type of the values that an option or argument gives to its function."""
    kind = parameter.type
    one = Literal[kind.choices] if isinstance(kind, click.Choice) else TYPES[type(kind)]
    if parameter.multiple or parameter.nargs == -1:
        return tuple[one, ...]
    default = parameter.to_info_dict()["default"]
    return one if parameter.required or default is not None else one | None


@pytest.mark.parametrize("name", COMMANDS)
def test_a_function_takes_what_its_options_give(name):
    command = COMMANDS[name]
    hints = get_type_hints(command.callback)
    taken = {name: hint for name, hint in hints.items() if name != "return" and hint is not click.Context}
    assert {option.name: given(option) for option in command.params} == taken
