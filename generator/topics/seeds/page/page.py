"""The page that shows which heads come back when a model is trained again, and which are chance; hand-written pages say
its lead.
"""

from collections.abc import Iterator, Sequence

from generator.numbers.writing import in_letters, listed, number
from generator.pages import addresses
from generator.pages.blocks import Listing, Section, Sections, opening, present
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Link, prose
from generator.pages.links import model_crumbs, to_reference, to_study
from generator.pages.studies.study_page import StudyPage
from generator.topics.seeds.page.data import Trainings, cases
from generator.topics.seeds.page.tables import layers, measures, relations, steps
from generator.topics.seeds.records import SEEDS

TITLE = "Between seeds"
SEEDLESS = "This guide has no trainings that differ in their seed alone."


def there(atlas: Atlas) -> bool:
    """Whether trainings were compared for this model."""
    return any(results.manifest.experiment == SEEDS.name for results in atlas.results.more)


def seeds_page(atlas: Atlas) -> Sections:
    """What heads of several trainings have in common."""
    here, found = addresses.seeds(atlas.slug), Trainings(atlas)
    return Sections(
        title=TITLE,
        lead=lead(found),
        card=next(_relations(found), ""),
        crumbs=model_crumbs(atlas.slug, atlas.results.manifest.model, here),
        sections=present(
            _which(found, here),
            *(relations(found, treebank, here) for treebank in found.treebanks),
            steps(found),
            layers(found, here),
            measures(found, here),
            Section("again", "How to compute it again", present(Listing(found.command), found.otherwise)),
        ),
    )


def lead(found: Trainings) -> str:
    """How many trainings there are, and what comes back in all of them, in a few sentences."""
    alike = "differ in their seed alone" if found.one_recipe else "were given as trainings of one recipe"
    start = f"{_counted(found).capitalize()} {alike}{_length(found)}."
    return " ".join((start, *_relations(found), _twins(found)))


def _counted(found: Trainings) -> str:
    count = len(found.names)
    return f"{in_letters(count)} {'trainings' if found.one_recipe else 'models'}"


def _length(found: Trainings) -> str:
    """Words on how long the trainings were; empty if their logs do not tell."""
    if not found.steps:
        return ""
    least, most = (f"{end(found.steps):,}" for end in (min, max))
    return f"; each ran for {least if least == most else f'{least} to {most}'} steps"


def _relations(found: Trainings) -> Iterator[str]:
    for treebank in found.treebanks[:1]:
        share = found.of(treebank).get("returning")
        if share is None:
            yield "No head of any of them clearly beats the best fixed offset in a dependency relation."
            return
        some, every = int(share["n"]), cases(share, share["n"])
        yield _returning(some - every, every, len(found.names))


def _returning(some: int, every: int, trainings: int) -> str:
    """How many relations some of the trainings find, and how many all of them.

    >>> _returning(3, 0, 3), _returning(1, 2, 5)
    ('Three dependency relations are found by one or two of the trainings, none by all three.', \
'One dependency relation is found by some of the trainings, two by all five.')
    >>> _returning(0, 1, 2)
    'No dependency relation is found by one of the trainings alone, one by both.'
    """
    which = {2: "one of the trainings alone", 3: "one or two of the trainings"}.get(trainings, "some of the trainings")
    everyone = "both" if trainings == 2 else f"all {in_letters(trainings)}"
    is_found = "relation is" if some < 2 else "relations are"
    text = "none" if every == 0 else in_letters(every)
    return f"{in_letters(some).capitalize()} dependency {is_found} found by {which}, {text} by {everyone}."


def _twins(found: Trainings) -> str:
    matched, every, untrained = (found.facts[name] for name in ("matched", "every", "untrained"))
    apart, any_two, random = (f"{number(row['value'])} nats" for row in (matched, every, untrained))
    nearer = matched["high"] < min(every["low"], untrained["low"])
    text = (
        f"A head and its match in another training differ less ({apart}) than two heads do on average ({any_two}), or "
        f"than a head and its match in a random network ({random})."
        if nearer
        else f"A head and its match in another training differ by {apart}, two heads on average by {any_two}, and a "
        f"head and its match in a random network by {random}."
    )
    same, chance = found.facts["same_layer"], found.facts["same_layer.chance"]
    count, pairs = cases(same, same["n"]), int(same["n"])
    return f"{text} {count} of {pairs} matches stand in the same layer; {cases(chance, pairs)} would by chance."


def _which(found: Trainings, page: str) -> Section:
    manifest = found.atlas.results.manifest
    other = "" if found.own else f" {manifest.model} is none of them: they only have its shape."
    return opening(
        prose(
            "The trainings are {names}.{other} All of them read the same text, {corpus}. For any two of them, each "
            "head of one is matched with one head of the other, on half of the documents; a head and its match are "
            "called twins, and what is said of twins is measured on the other half. Intervals are over documents or "
            "sentences, and those of correlations over heads too, but never over trainings: so few trainings can show "
            "that something differs, but not how often it would. {source} asked the question for BERT. Every number "
            "is defined under {methods}, and everything on this page can be {again}.",
            names=listed(found.names),
            other=other,
            corpus=found.text,
            methods=to_study(SEEDS, page),
            source=to_reference("sellam2021", "Sellam et al. 2021", page),
            again=Link("computed again", "#again"),
        )
    )


def seed_leads(atlases: Sequence[Atlas], page: str) -> Iterator[tuple[str, Link]]:
    """For each model with such trainings, the lead of its page on them and a link to that page."""
    for atlas in atlases:
        if there(atlas):
            manifest, here = atlas.results.manifest, addresses.seeds(atlas.slug)
            link = Link(f"{TITLE}, {manifest.model}", addresses.relative(here, page))
            yield lead(Trainings(atlas)), link


PAGE = StudyPage(TITLE, addresses.seeds, there, seeds_page)
