"""The page of a model on which a reader types a sentence and sees all heads."""

import json

from generator.pages import addresses
from generator.pages.blocks import Section, Sections, opening
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Link, Prose, prose
from generator.pages.links import model_crumbs
from generator.pages.studies.study_page import StudyPage
from generator.results.extras import made_of
from generator.topics.live.page.field import EXTRA, FILE, address, field_of, files_of
from generator.topics.live.page.usual import usual
from generator.visible import visible_json

TITLE = "Type your own sentence"
CARD = "Type a sentence, and see what every head does with it."
OTHERWISE = (
    "With JavaScript, you could type a sentence of your own here and see the maps of all heads, switch heads off, and "
    "hide words."
)


def there(atlas: Atlas) -> bool:
    """Whether the site has the model itself."""
    return made_of(atlas.results, EXTRA) is not None


def sentence_page(atlas: Atlas) -> Sections:
    """The field, and how the model in the browser differs from the one that was analysed."""
    here, files = address(atlas.slug), files_of(atlas)
    assert files, "the page is made only where the model is"
    about = json.loads((files.folder / FILE).read_bytes())
    data = visible_json(json.dumps(usual(atlas)))
    model = atlas.results.manifest.model
    return Sections(
        title=TITLE,
        lead=f"See what every head of {model} does with a sentence of yours.",
        card=CARD,
        crumbs=model_crumbs(atlas.slug, model, here),
        sections=(
            opening(field_of(files, atlas.slug, here, OTHERWISE, data=data)),
            Section("how", "How exact it is", (_exact(about), _limits(about, here))),
        ),
    )


def _exact(about: dict[str, object]) -> str:
    licence = f" The licence of the model is {about['licence']}." if about["licence"] else ""
    return (
        f"The weights are those of the model in half precision. On {about['inputs']} inputs that it read, no weight "
        f"of its attention moved by more than {about['within']}.{licence}"
    )


def _limits(about: dict[str, object], page: str) -> Prose:
    return prose(
        f"A sentence has at most 10,000 characters and {about['positions']} tokens, of which two mark its ends; it is "
        "read as one segment. {more}.",
        more=Link("How it works, and what it cannot do", addresses.relative("your-own-sentence/", page)),
    )


PAGE = StudyPage(TITLE, address, there, sentence_page)
