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
    click.types.FloatRange: float,
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
TASK = "It says that the option goes with --task."
DIFFER: dict[str, dict[str, str]] = {
    "--name": {
        "analyze": "With --maps there is no id.",
        "compare": "It has two models.",
        "curve": "It has many models.",
        "seeds": "It has many models.",
        "variants": "It has many models.",
    },
    "--revision": {"seeds": "It has many models.", "variants": "It has many models."},
    "--corpus": {
        "analyze": "It takes every kind of corpus, and with --maps a treebank alone.",
        "add": "It writes the corpora into the settings.",
        "spans": "It takes one, of linked mentions.",
    },
    "--text": {"variants": "It reads the part of a text that was held out."},
    "--seed": {"pretrain": "It draws weights and batches, and the settings have one."},
    "--config": {"pretrain": "Its settings are those of a run, not of a guide."},
    "--out": {"pretrain": "It keeps a run, not a fine-tuned model."},
    "--precision": dict.fromkeys(("finetune", "optima"), "It trains, and an analysis may also compute in tf32."),
    "--workers": {"build": "They also make pages."},
    "--force": {"analyze": "It also replaces results of other weights."},
    "--model": {"claims explain": "It takes one, `claims` several."},
    "--task": {"curve": "Without one it analyses checkpoints.", "variants": "Without one it reads text."},
    "--seeds": {"curve": TASK, "optima": "It counts starts, too.", "variants": TASK},
    "--rate": {
        "curve": TASK,
        "optima": "It freezes nothing.",
        "spans": "It never freezes the encoder.",
        "variants": TASK,
    },
    "--examples": {"curve": TASK, "variants": TASK},
}
"""Option -> commands whose help says something else about it than that of all others, and why."""


def helps() -> dict[str, dict[str, str | None]]:
    """Option -> command -> what its help says, for options of more than one command."""
    found: dict[str, dict[str, str | None]] = {}
    for name, command in COMMANDS.items():
        for option in command.params:
            if isinstance(option, click.Option):
                for spelled in option.opts:
                    found.setdefault(spelled, {})[name] = option.help
    return {option: texts for option, texts in found.items() if len(texts) > 1}


SHARED = helps()


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


@pytest.mark.parametrize("option", SHARED)
def test_an_option_of_several_commands_means_the_same_in_all(option):
    other = DIFFER.get(option, {})
    same = {text for command, text in SHARED[option].items() if command not in other}
    assert len(same) == 1
    assert other.keys() <= SHARED[option].keys(), "an exception that no command needs"
    assert same.isdisjoint(SHARED[option][command] for command in other), "an exception that says the same"


def test_every_exception_is_an_option_of_several_commands():
    assert DIFFER.keys() <= SHARED.keys()
