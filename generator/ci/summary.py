"""What came of a rebuild, in Markdown: verdicts by model, what changed, and for each model the one most like it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from generator.claims.evidence.evidence import Evidence
from generator.claims.ledger import judge_all
from generator.claims.report import in_markdown
from generator.errors import ResultsError
from generator.pages.changes import rebuilds
from generator.pages.changes.known import Change, Known
from generator.pages.claims.tables import SHOWN
from generator.results.store import Results, find
from generator.site.stamp import Stamp

NOTHING = "Nothing has changed."
MOST = 8
"""Claims that are named one by one."""


def there(place: Path) -> Path:
    """A folder of results. Raises ResultsError if there is no folder, which is not the same as one without results."""
    if not place.is_dir():
        raise ResultsError(f"Expected a folder of results at {place}, found none; check the path.")
    return place


def known(stored: Iterable[Results]) -> dict[str, Known]:
    """Slug -> what these results say. Raises ResultsError."""
    return {results.manifest.slug: Known.of(results, judge_all([Evidence(results)])) for results in stored}


def published(before: Path, also: Iterable[Path] = ()) -> Mapping[str, Known]:
    """Slug -> what the last build said: its record, if the folder `before` holds one below `build`, or what the results
    there and in the folders of `also` say. Raises ResultsError, SiteError.
    """
    if (there(before) / rebuilds.RECORD).is_file():
        return rebuilds.load(before).models
    return known(find([before, *also]))


def summary(after: Mapping[str, Known], changed: Sequence[Change] | None, built: Stamp | None = None) -> str:
    """The summary in Markdown; `changed` is None if there is nothing to compare with, `built` if no site was built."""
    parts = [_table(after)]
    if changed is not None:
        parts.append(changes_in_markdown(changed))
    nearest = [line for slug in after if (line := _nearest(slug, after))]
    if nearest:
        parts.append("\n".join(["## Nearest models", "", *nearest]))
    if built and built.seconds:  # a build that failed noted its files alone
        parts.append(f"## The site\n\n{built.size}.")
    return "\n\n".join(parts) + "\n"


def changes_in_markdown(changed: Sequence[Change]) -> str:
    """The changes in Markdown, model by model."""
    lines = ["## What changed", ""]
    if not changed:
        return "\n".join([*lines, NOTHING])
    for model in dict.fromkeys(change.model for change in changed):
        lines += [f"### {in_markdown(model)}", ""]
        lines += [f"- {in_markdown(change.sentence)}" for change in changed if change.model == model]
        lines.append("")
    return "\n".join(lines).rstrip()


def _table(after: Mapping[str, Known]) -> str:
    rows = [
        "| " + " | ".join(("model", "heads that find something", *SHOWN)) + " |",
        "|" + "---|" * (2 + len(SHOWN)),
    ]
    for told in after.values():
        counts = Counter(item.verdict for item in told.verdicts.values())
        finders = f"{told.finders} of {told.layers * told.heads}"
        cells = (in_markdown(told.model), finders, *(str(counts[verdict]) for verdict in SHOWN))
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(["## Verdicts", "", *rows])


def _nearest(slug: str, after: Mapping[str, Known]) -> str:
    """A line with the model whose verdicts differ on the fewest claims that both could be tested on, and these claims;
    "" if there is no other model.
    """
    mine = after[slug]

    def differing(other: str) -> list[str]:
        pairs = ((key, item.verdict, after[other].verdicts[key].verdict) for key, item in mine.verdicts.items())
        return [key for key, first, second in pairs if first != second and SHOWN[-1] not in (first, second)]

    others = [other for other in after if other != slug]
    if not others:
        return ""
    nearest = min(others, key=lambda other: len(differing(other)))
    keys = differing(nearest)
    more = f" and {len(keys) - MOST} more" if len(keys) > MOST else ""
    names = in_markdown(mine.model), in_markdown(after[nearest].model)
    on = f"differs on {', '.join(keys[:MOST])}{more}" if keys else "differs on no claim that both can be tested on"
    return f"- {names[0]} is nearest to {names[1]}: it {on}."
