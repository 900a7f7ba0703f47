"""The page that compares trainings of several objectives: a figure and a table, and two sentences on what they show."""

from collections.abc import Iterator
from typing import Any

from generator.numbers.number import Number
from generator.numbers.writing import in_letters, listed, number, pieces, written
from generator.pages import addresses
from generator.pages.blocks import Facts, Figure, Listing, Note, Section, Sections, Table, first_title, opening, present
from generator.pages.figures import embed, estimate_columns
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cell, Cells, Link, Name, prose
from generator.pages.links import model_crumbs, to_reference, to_study, to_term
from generator.pages.studies.study_page import StudyPage
from generator.pages.studies.tables import NOTHING, count, table
from generator.topics.variants.page.data import WORDS, Row, Told, Variants, settings_text, there, unit
from generator.topics.variants.records import VARIANTS

TITLE = "Other recipes"
COUNTS = (
    "A difference from the first counts where its interval leaves out 0 and it is greater, up or down, than the "
    "greatest between two trainings of one objective"
)


def variants_page(atlas: Atlas) -> Sections:
    """What trainings of several objectives predict, attend to and contain."""
    here, found = addresses.variants(atlas.slug), Variants(atlas)
    return Sections(
        title=TITLE,
        lead=lead(found),
        card=_whole(found),
        crumbs=model_crumbs(atlas.slug, atlas.results.manifest.model, here),
        sections=present(
            _which(found, here),
            Section("numbers", "What sets them apart", (_figure(found), _table(found, here), _note(found))),
            Section("again", "How to compute it again", present(Listing(found.command), found.otherwise)),
        ),
    )


def rule(found: Variants) -> str:
    """When a difference counts, and what the trainings can show of that, in two sentences."""
    several = sum(len(trainings) > 1 for trainings in found.trainings)
    if not several:
        return f"{COUNTS}. There is one training of each, so which differences count is not known."
    every = len(found.names)
    which = "each objective" if several == every else f"{in_letters(several)} of {in_letters(every)} objectives"
    return (
        f"{COUNTS}; only then it is called more or less. There are two trainings or more of {which}, which can show "
        "that something differs, but not how often it would."
    )


def lead(found: Variants) -> str:
    """How many objectives and trainings there are, and what is lost in whole text, in two sentences."""
    several = sorted(len(trainings) for trainings in found.trainings)
    times = " to ".join(in_letters(count) for count in dict.fromkeys((several[0], several[-1])))
    objectives = in_letters(len(several)).capitalize()
    each = "training" if several[-1] == 1 else "trainings"
    return f"{objectives} objectives, with {times} {each} of each, read the same held-out text. {_whole(found)}"


def _whole(found: Variants) -> str:
    told = {name: found.told("whole", at) for at, name in enumerate(found.names)}
    parts = [f"{written(one.number, 'nats')} in {name}" for name, one in told.items() if one]
    return f"In whole text the loss of the chosen tokens is {listed(parts)}."


def _which(found: Variants, page: str) -> Section:
    manifest = found.atlas.results.manifest
    other = "" if found.own else f" All have the shape of {manifest.model}, which is not among them."
    lines = [
        (Name(name), f"{settings_text(found.settings(at))}; {listed(found.trainings[at])}")
        for at, name in enumerate(found.names)
    ]
    return opening(
        prose(
            "Each objective is named with the settings in which it differs from {first}, the first, and with its "
            "trainings.{other} All read the same inputs, in which the same tokens were chosen: hidden behind [MASK], "
            "as they are, or exchanged for random pieces. {source} try other mixtures in appendix C.2. Every number "
            "is defined under {methods}, and everything on this page can be {again}.",
            first=Name(found.names[0]),
            other=other,
            source=to_reference("devlin2019", "Devlin et al. 2019", page),
            methods=to_study(VARIANTS, page),
            again=Link("computed again", "#again"),
        ),
        Facts(tuple(lines)),
    )


def _figure(found: Variants) -> Figure:
    views = [_view(found, name) for name in found.shown]
    rows = [row for name in found.shown for row in _rows(found, name)]
    return Figure(
        id="variants",
        label=first_title(views),
        kinds=("variants",),
        data=embed({"shared": {}, "views": views}),
        views=tuple(Link(_upper(WORDS[name]), "") for name in found.shown),
        chooser="Number",
        caption=(
            f"A dot is the mean of an objective's trainings, a tick one of them, the dashed line {found.names[0]}. "
            "Intervals are 95 % over inputs, for word classes over sentences, and say nothing about other trainings. A "
            "hollow dot is no difference that counts."
        ),
        table=Table(("number", "objective", "training", "value", "95 % interval", "n"), tuple(rows)),
    )


def _view(found: Variants, name: str) -> dict[str, Any]:
    told = [(at, one) for at in range(len(found.names)) if (one := found.told(name, at))]
    first = next((one.number.value for at, one in told if at == 0), None)
    lines: list[tuple[int, str, Number, Told]] = []
    for at, one in told:
        lines.append((at, "", one.number, one))
        lines += [(at, training, Number.of(row), one) for training, row in found.each(name, at).items()]
    columns: dict[str, Any] = {
        "variant": [found.names[at] for at, *_ in lines],
        "training": [training for _, training, *_ in lines],
        "n": [int(value.n) for _, _, value, _ in lines],
        "hollow": [int(at > 0 and not one.counts) for at, _, _, one in lines],
        "reference": [first for _ in lines],
        "outcome": [_outcome(at, one) for at, _, _, one in lines],
    }
    columns |= estimate_columns(value for _, _, value, _ in lines)
    return {
        "columns": columns,
        "signals": {"caption": f"{WORDS[name]}, {unit(name)}"},
        "constants": {"measure": name, "unit": unit(name)},
        "title": _seen(found, name),
    }


def _outcome(at: int, told: Told) -> str:
    if at == 0:
        return "the first"
    if told.counts is None:
        return "not known: one training of each"
    return f"{told.words}, and it counts" if told.words else "no difference that counts"


def _seen(found: Variants, name: str) -> str:
    """The title of a view: the number of the first variant, and the differences that count."""
    told = [(found.names[at], one) for at in range(len(found.names)) if (one := found.told(name, at))]
    parts = [f"{_upper(WORDS[name])}: {_valued(one, name)} in {variant}" for variant, one in told[:1]]
    apart = [f"{one.words} in {variant} ({number(one.number.value)})" for variant, one in told[1:] if one.words]
    unknown = all(one.counts is None for _, one in told)
    nothing = "what counts is not known with one training of each" if unknown else "no difference from it counts"
    return "; ".join([*parts, listed(apart) if apart else nothing])


def _valued(told: Told, name: str) -> str:
    words = {"share": "", "ratio": "times uniform attention"}.get(unit(name), unit(name))
    return written(told.number, words)


def _rows(found: Variants, name: str) -> Iterator[Cells]:
    for at, variant in enumerate(found.names):
        if told := found.told(name, at):
            yield WORDS[name], variant, "mean", *pieces(told.number), f"{int(told.number.n):,}"
            for training, row in found.each(name, at).items():
                yield WORDS[name], variant, training, *pieces(Number.of(row)), f"{int(row['n']):,}"


def _table(found: Variants, page: str) -> Table:
    columns: Cells = (
        "number",
        *(Name(name) for name in found.names),
        "without it",
        "between trainings of one objective",
        to_term("n", "n", page),
    )
    return table("Numbers by objective", columns, [_line(found, name) for name in found.shown])


def _line(found: Variants, name: str) -> Cells:
    told = [found.told(name, at) for at in range(len(found.names))]
    baseline, apart = found.baseline(name), found.facts.get(f"{name}.apart")
    return (
        Cell(WORDS[name], note=unit(name)),
        *(_cell(one) for one in told),
        NOTHING if baseline is None else Cell(number(baseline.value)),
        NOTHING if apart is None else Cell(number(apart["value"])),
        count(max(one.number.n for one in told if one)),
    )


def _cell(told: Told | None) -> Cell:
    if told is None:
        return NOTHING
    value, ends = pieces(told.number)
    return Cell(value, note="; ".join(part for part in (ends, told.words) if part and part != NOTHING.text))


def _note(found: Variants) -> Note:
    random: Row | None = found.facts.get("classes.random")
    weights = f" Off random weights {number(random['value'])} of the word classes are read." if random else ""
    return Note(
        f"{rule(found)} Without it: what the frequencies of pieces, uniform attention, the commoner answer or the "
        f"commonest class of a word's type give. Word classes are those of {found.bank}.{weights}"
    )


def _upper(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}"


PAGE = StudyPage(TITLE, addresses.variants, there, variants_page)
