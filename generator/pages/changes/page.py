"""The page of what changed: the last builds that changed something, the newest first."""

from collections.abc import Collection, Sequence

from generator.pages import addresses
from generator.pages.blocks import LINES, Block, Folded, Items, Section, Sections, opening
from generator.pages.changes.known import WHOLE, Change
from generator.pages.changes.rebuilds import Rebuild
from generator.pages.inline import Link, Name, Prose

MOST = 12
"""How many changes of a build are shown without a click."""
NOTHING = "Nothing has been built yet."


def changes_page(builds: Sequence[Rebuild], answering: Collection[str]) -> Sections:
    """What each build changed; `answering` are the slugs of models whose addresses still answer."""
    row = tuple(Section(build.anchor, _title(build), _blocks(build.changes, answering)) for build in builds)
    return Sections(
        title="What changed",
        lead=(
            "Each build of this site is compared with the one before: models that came and went, verdicts that "
            "changed, and what heads find. Builds that changed nothing are left out."
        ),
        crumbs=(),
        sections=row or (opening(NOTHING),),
    )


def _title(rebuild: Rebuild) -> str:
    """The day and, if it was not the first that changed something on it, the number of the build."""
    number = rebuild.anchor.removeprefix(rebuild.date).lstrip("-")
    return f"{rebuild.date}, build {number}" if number else rebuild.date


def _blocks(some: Sequence[Change], answering: Collection[str]) -> tuple[Block, ...]:
    lines = [_line(change, answering) for change in some]
    shown, rest = _listed(lines[:MOST]), lines[MOST:]
    return (shown, Folded(f"{len(rest)} more", (_listed(rest),))) if rest else (shown,)


def _listed(lines: Sequence[Prose]) -> Items:
    """One below the other."""
    return Items(tuple(lines), style=LINES)


def _line(change: Change, answering: Collection[str]) -> Prose:
    page, mark, anchor = change.address.partition("#")
    href = addresses.relative(page, addresses.CHANGES) + mark + anchor if change.slug in answering else ""
    if change.about == WHOLE:
        return Name(change.model, href), f" {change.text}"
    return Name(change.model), ": ", Link(change.about, href), f" {change.text}"
