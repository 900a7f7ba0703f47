"""A group of commands that lists them in the order of the work, not of the alphabet."""

import click


class Ordered(click.Group):
    """A group whose help lists commands in the order in which they were added."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - the parent's signature
        """Names of the commands."""
        return list(self.commands)
