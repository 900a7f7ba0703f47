"""A model's page on features and frames: what kinds of words receive attention, and what heads link."""

import re
from collections.abc import Mapping
from itertools import islice
from typing import Any

from generator.corpora.treebank import TREEBANK
from generator.numbers.number import Number
from generator.numbers.writing import percent
from generator.pages import addresses
from generator.pages.blocks import Section, Sections, opening
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import prose
from generator.pages.links import list_of_claims, model_crumbs, to_reference, to_term
from generator.pages.studies.study_page import StudyPage
from generator.pages.studies.tables import by_name, corpora, numbers_of, of_name, stored
from generator.results.tables import records
from generator.topics.frames.corpus.frames import FRAMES
from generator.topics.frames.page.frames import frame_links
from generator.topics.frames.page.kinds import kinds_of_words, most_attended
from generator.topics.frames.page.tables import LINKS, identical_words, word_links
from generator.topics.frames.records import FEATURE, FRAME
from generator.topics.relations.records.trees import WORDS
from generator.topics.tokens.records.matching import MATCHING

TITLE = "Features and frames"


def there(atlas: Atlas) -> bool:
    """Whether one of the studies gave numbers of heads."""
    links = of_name(stored(atlas, "head_facts", study=WORDS), WORDS, *LINKS)
    return bool(len(links)) or any(
        len(stored(atlas, "head_facts", study=study)) for study in (FEATURE, MATCHING, FRAME)
    )


def apart(anchor: str) -> bool:
    """Whether a section has a page of its own: kinds of words in each treebank but the first."""
    return bool(re.fullmatch(r"kinds-\d+", anchor)) and anchor != "kinds-1"


def features_page(atlas: Atlas) -> Sections:
    """Kinds of words, links between words, identical words, frames."""
    here, texts = addresses.features(atlas.slug), _results(atlas)
    return Sections(
        title=TITLE,
        lead=" ".join(texts) or "What kinds of words receive attention, and what heads link.",
        card=texts[0] if texts else "",
        crumbs=model_crumbs(atlas.slug, atlas.results.manifest.model, here),
        sections=(
            questions(here),
            *kinds_of_words(atlas, here),
            *word_links(atlas, here),
            *identical_words(atlas, here),
            *frame_links(atlas, here),
            claims(atlas, here),
        ),
    )


def questions(page: str) -> Section:
    """What the page asks, and the paper that it follows."""
    return opening(
        prose(
            "After {paper}, sections 4.2, 4.4, 4.5 and 5: which {feature} receives attention, and whether heads link "
            "words that belong together, such as the parts of a {frame}. The baselines, the halves and the 95 % "
            "intervals are ours. Tables of heads show those with the largest numbers of all, and numbers that were "
            "chosen so tend to be too high; held-out numbers do not.",
            paper=to_reference("kovaleva2019", "Kovaleva et al. 2019", page),
            feature=to_term("linguistic-feature", "linguistic feature", page),
            frame=to_term("semantic-frame", "frame", page),
        )
    )


def claims(atlas: Atlas, page: str) -> Section:
    """The claims that rest on these numbers."""
    links = {(study, name) for study, name in numbers_of(atlas, WORDS) if name in LINKS}
    return Section("claims", "Claims", (list_of_claims(links | numbers_of(atlas, FEATURE, MATCHING, FRAME), page),))


def _results(atlas: Atlas) -> list[str]:
    """A sentence on each of the page's subjects of which there are numbers."""
    manifest = atlas.results.manifest
    heads = stored(atlas, "head_facts", study=FEATURE)
    parts = [
        text
        for corpus in corpora(heads, manifest.of(TREEBANK))[:1]
        if (text := most_attended(corpus, heads[heads["corpus"] == corpus]))
    ]
    facts = stored(atlas, "facts", study=MATCHING, layer=0)
    for row in islice(records(of_name(facts, MATCHING, "best.matched.gain").sort_values("corpus")), 1):
        parts.append(
            f"In {row['corpus']}, the best head for identical words gives the same word of the other segment "
            f"{_points(row)} more weight than other shared words (held-out, n {row['n']:,} documents)."
        )
    facts = stored(atlas, "facts", study=FRAME, layer=0)
    for corpus in corpora(facts, manifest.of(FRAMES))[:1]:
        found = by_name(facts[facts["corpus"] == corpus], FRAME)
        if gain := found.get("element_to_target.best.gain"):
            parts.append(
                f"In {corpus}, the best head for frames gives the word that calls up a frame {_points(gain)} more "
                "weight from the frame's elements than words at the same distances get (held-out, n "
                f"{gain['n']:,} sentences)."
            )
    return parts


def _points(row: Mapping[str, Any]) -> str:
    return percent(Number.of(row), "points")


PAGE = StudyPage(TITLE, addresses.features, there, features_page, apart=apart)
