"""The pages about models: the list of models, and the atlas of each."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from urllib.parse import urlencode

from generator.claims.evidence.reasons import SAVED
from generator.claims.gate.maps import PATTERN, WINDOW
from generator.corpora.catalogue import CATALOGUE as CORPORA
from generator.corpora.files import TEXT
from generator.corpora.kinds import KINDS
from generator.corpora.languages import language_name
from generator.numbers.writing import listed
from generator.pages import addresses
from generator.pages.blocks import Card, Cards, Columns, Facts, Listing, Section, Sections, opening
from generator.pages.compare.pairs import TITLE as PAIRS
from generator.pages.compare.pairs import beside_link
from generator.pages.figures import atlas_figure
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.finder import ASKED
from generator.pages.heads.map import HOW_TO_READ, head_map, legend, notable
from generator.pages.heads.naming.naming import finds, needs
from generator.pages.heads.summary import TARGETS
from generator.pages.inline import Code, Link, Name, prose
from generator.pages.links import model_crumbs, to_model, to_models
from generator.pages.of_model import of_model
from generator.pages.studies.all import Made, made_once, study_cards
from generator.results.manifest import ABOUT

COUNTED: Mapping[str, str] = MappingProxyType({key: text for kind in KINDS for key, text in kind.counted.items()})
"""What the manifest counts, in words."""
BESIDE = "Its layers, its heads, what they find and its verdicts, next to those of any other model."


def models_page(atlases: Sequence[Atlas]) -> Sections:
    """All models."""
    lead = (
        "Every encoder that this site has measured. A row of squares is a layer, the first on top; choose a square to "
        "open the page of its head. See also "
    )
    beside = Link(PAIRS, addresses.relative(addresses.COMPARISONS, addresses.MODELS))
    return Sections("Models", (lead, beside, "."), (), (cards(atlases, addresses.MODELS),))


def cards(atlases: Sequence[Atlas], page: str) -> Section:
    """Each model as a small map beside its name and its notable heads."""
    nothing = prose("No model has been analysed yet. Run {command}.", command=Code("fieldguide build"))
    return opening(HOW_TO_READ, *(_card(atlas, page) for atlas in atlases)) if atlases else opening(nothing)


def _card(atlas: Atlas, page: str) -> Columns:
    name = atlas.results.manifest.model
    title = Name(name, to_model(atlas.slug, name, page).href)
    section = Section("", title, (f"{read_of(atlas)}.", *legend(atlas)[1:], *notable(atlas, page)))
    return Columns((section, head_map(atlas, page)), "fg-model-card")


def model_page(atlas: Atlas, sections: Made | None = None) -> Sections:
    """The atlas of one model; `sections` makes the pages of its studies, whose first results stand on cards."""
    here = addresses.model(atlas.slug)
    manifest = atlas.results.manifest
    beside = Card(beside_link(atlas, here), BESIDE)
    studies = Cards(
        (
            *study_cards(atlas, sections or made_once(atlas), here),
            *(card for topic in of_model(atlas) for card in topic.cards(here)),
            beside,
        )
    )
    again = Facts(_facts(atlas)), "To compute it again:", Listing(manifest.command)
    return Sections(
        title=Name(manifest.model),
        lead=_lead(atlas),
        crumbs=(to_models(here),),
        sections=(
            opening(Columns((opening(f"{read_of(atlas)}.", *legend(atlas)), head_map(atlas, here)), "fg-model-card")),
            Section("studies", "The model as a whole", (studies,)),
            Section("notable", "Heads to see first", notable(atlas, here)),
            *(section for topic in of_model(atlas) for section in topic.sections(here)),
            Section("measured", "Measure by measure", (atlas_figure(atlas, here),)),
            all_heads(atlas, here),
            Section("provenance", "How this was made", again, folded=True),
        ),
    )


def heads_page(atlas: Atlas) -> Sections:
    """The page from which those of a model's heads are opened."""
    here, model = addresses.heads(atlas.slug), atlas.results.manifest.model
    return Sections(
        title=("Heads of ", Name(model)),
        lead=f"Every head of {model}, a row for each layer with the first on top; choose a square to open its page.",
        crumbs=model_crumbs(atlas.slug, model, here),
        sections=(opening(head_map(atlas, here), *legend(atlas)),),
    )


def read_of(atlas: Atlas) -> str:
    """What a model is, and what it was measured on, in a sentence without its period."""
    layers, heads = atlas.shape
    manifest = atlas.results.manifest
    about = str(manifest.settings.get(ABOUT, "")).rstrip(".")
    known = "known from saved maps alone" if manifest.family == SAVED else f"model family {manifest.family}"
    text = f"{layers} layers of {heads} heads each ({known}), measured on {atlas.text}"
    return f"{about}. {text}" if about else text


def all_heads(atlas: Atlas, page: str) -> Section:
    """The section with a link to the list of all heads."""
    finder = Link("Find a head", f"{addresses.relative(addresses.FINDER, page)}?{urlencode({'model': atlas.slug})}")
    sentence = prose(
        "{finder} lists all {count}, sorts them by any measure or relation, and answers questions such as {asked}.",
        finder=finder,
        count=str(len(atlas.places)),
        asked=Code(ASKED[0][0]),
    )
    return Section("heads", "All heads", (sentence,))


def _lead(atlas: Atlas) -> str:
    """A sentence on what kinds of heads there are, and in which layers those are that find something."""
    summaries = atlas.summaries
    kinds = Counter(summary.kind for summary in summaries.values())
    finding = [layer for (layer, _), summary in summaries.items() if summary.kind in finds()]
    found = f"None of its {kinds.total()} heads is named for a relation or for antecedents"
    if not atlas.looked:
        found = f"No treebank was read in which its {kinds.total()} heads could find relations"
    if finding:
        layers = sorted(set(finding))
        where = f"layer {layers[0]}" if len(layers) == 1 else f"layers {layers[0]} to {layers[-1]}"
        named = _named(len(finding))
        found = f"Of its {kinds.total()} heads, {named} for a relation or for antecedents, in {where}"
    looking = [f"{kinds[target.kind]} to {target.words}" for target in TARGETS if kinds[target.kind]]
    mostly = (
        f" In this text others give more than half of their attention to one target: {listed(looking)}."
        if looking
        else ""
    )
    texts = [f"{_many(kinds['broad'], 'look')} broadly"]
    if kinds[WINDOW]:
        texts.insert(0, f"{_many(kinds[WINDOW], 'look')} at a few tokens")
    if kinds[PATTERN]:
        texts.insert(0, f"{_named(kinds[PATTERN])} for the pattern of {'its' if kinds[PATTERN] == 1 else 'their'} maps")
    for kind in needs():
        if kinds[kind]:
            texts.append(f"{_named(kinds[kind])} for what a task loses without {'it' if kinds[kind] == 1 else 'them'}")
    if kinds["none"]:
        texts = [f"{', '.join(texts)}, and {_named(kinds['none'])} for none of this"]
    return f"{found}.{mostly} {listed(texts)}."


def _plural(words: str, count: int) -> str:
    """The words for several things, or for one."""
    return re.sub(r"s\b", "", words, count=1) if count == 1 else words


def _many(count: int, verb: str) -> str:
    return f"{count} {verb}{'s' if count == 1 else ''}"


def _named(count: int) -> str:
    return f"{count} {'is' if count == 1 else 'are'} named"


def _facts(atlas: Atlas) -> tuple[tuple[str, str], ...]:
    manifest = atlas.results.manifest
    titles = {entry.name: f"{entry.title} ({entry.licence}); " for entry in CORPORA}
    facts = [
        ("Model", f"{manifest.model} ({manifest.family}), revision {manifest.revision}"),
        ("Weights", f"sha256 {manifest.weights_sha256[:12]}, {manifest.dtype}, on {manifest.device}"),
    ]
    checksums = {corpus.name: corpus.sha256[:12] or "not known" for corpus in manifest.corpora}
    for name, counts in manifest.counts.items():
        shown = ((kind, count) for kind, count in counts.items() if count or kind not in {"short", "long", "split"})
        text = ", ".join(f"{count:,} {_plural(COUNTED[kind], count)}" for kind, count in shown)
        text += f"; in {language_name(manifest.languages[name])}" if name in manifest.languages else ""
        facts.append((f"Corpus {name}", f"{titles.get(name, '')}{text}; sha256 {checksums[name]}"))
    if len(manifest.of(TEXT)) > 1:
        facts.append(("Shown", f"{atlas.corpus}; the numbers on other corpora are in heads.parquet"))
    facts += [
        (
            "Settings",
            ", ".join(
                f"{name} {value}" for name, value in manifest.settings.items() if value is not None and name != ABOUT
            ),
        ),
        ("Observed through", manifest.observed),
        ("Packages", ", ".join(f"{name} {version}" for name, version in manifest.packages.items())),
    ]
    return tuple(facts)
