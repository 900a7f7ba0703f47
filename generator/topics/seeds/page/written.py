"""What hand-written pages say of several trainings that differ in their seed."""

from generator.pages.written.context import Context, Written
from generator.pages.written.in_markdown import anchor, sentence
from generator.topics.seeds.page.page import SEEDLESS, seed_leads


def seeds(context: Context, /) -> str:
    """What they have in common, with a link for each model."""
    found = " ".join(f"{sentence(said)} ({anchor(link)})" for said, link in seed_leads(context.atlases, context.page))
    return found or SEEDLESS


WRITTEN = Written({"seeds": seeds})
