"""The page that tells which heads come back when a model is trained again, and which are chance."""

from collections.abc import Iterator

from generator.numbers.number import Number, alone
from generator.numbers.writing import listed, percent
from generator.pages import addresses
from generator.pages.blocks import Listing, Section, Sections, opening, present
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Link, prose
from generator.pages.links import model_crumbs, to_reference, to_study
from generator.pages.seeds.data import Trainings
from generator.pages.seeds.tables import layers, measures, relations, steps
from generator.pages.studies.tables import stored, with_interval
from generator.studies.experiments.seeds_quantities import SEEDS

TITLE = "Between seeds"
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def there(atlas: Atlas) -> bool:
    """Whether trainings were set beside each other for this model."""
    return len(stored(atlas, "facts", study=SEEDS, name="matched")) > 0


def seeds_page(atlas: Atlas) -> Sections:
    """What heads of several trainings have in common."""
    here, found = addresses.seeds(atlas.slug), Trainings(atlas)
    return Sections(
        title=TITLE,
        lead=lead(found),
        crumbs=model_crumbs(atlas.slug, atlas.results.manifest.model, here),
        sections=present(
            _which(found, here),
            *(relations(found, treebank, here) for treebank in found.treebanks),
            layers(found, here),
            measures(found, here),
            steps(found),
            Section("again", "How to compute it again", (Listing("\n".join(found.commands)),)),
        ),
    )


def lead(found: Trainings) -> str:
    """What comes back, in numbers."""
    return " ".join(
        (f"{counted(found).capitalize()} that differ in their seed alone.", *_relations(found), _twins(found))
    )


def counted(found: Trainings) -> str:
    """How many trainings there are, in words: "three trainings"."""
    count = len(found.names)
    return f"{WORDS[count] if count < len(WORDS) else count} trainings"


def _relations(found: Trainings) -> Iterator[str]:
    for treebank in found.treebanks[:1]:
        share = found.returning(treebank).get("returning")
        if share is None:
            yield "No head of any of them clearly beats the best fixed offset in a dependency relation."
            return
        every = round(share["value"] * share["n"])
        some = "one dependency relation" if share["n"] == 1 else f"{share['n']} dependency relations"
        yield (
            f"In at least one of them a head finds {some} clearly better than any fixed offset; {every} of these are "
            "found in all."
        )


def _twins(found: Trainings) -> str:
    matched, every, untrained = (with_interval(found.facts[name]) for name in ("matched", "every", "untrained"))
    same, chance = percent(Number.of(found.facts["same_layer"])), found.facts["same_layer.chance"]["value"]
    return (
        f"Heads of two trainings that are matched by their maps differ by {matched} nats, any two by {every}; matched "
        f"with heads of random weights, they differ by {untrained}. {same} of such twins stand in the same layer, "
        f"{percent(alone(chance))} would by chance."
    )


def _which(found: Trainings, page: str) -> Section:
    manifest = found.atlas.results.manifest
    other = "" if found.own else f" {manifest.model} is none of them: they only have its shape."
    return opening(
        prose(
            "The trainings are {names}.{other} All of them read the same text, {corpus}, and the "
            "heads of every two are matched one to one on half of its documents; what is said of twins is measured on "
            "the other half. Intervals are over documents or sentences, not over trainings: so few of them show that "
            "something differs, and not how often it would. {source} asked the question for BERT. Every number is "
            "defined under {methods}, and all of it can be {again}.",
            names=listed(found.names),
            other=other,
            corpus=found.text,
            methods=to_study(SEEDS, page),
            source=to_reference("sellam2021", "Sellam et al. 2021", page),
            again=Link("computed again", "#again"),
        )
    )
