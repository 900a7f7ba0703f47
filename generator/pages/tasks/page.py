"""The context of a model's page on tasks: what fine-tuning gains, and what disabling heads costs."""

from collections.abc import Sequence

from generator.claims import CLAIMS
from generator.claims.evidence.tasks import FINE_TUNED, FROZEN
from generator.numbers.writing import number
from generator.pages import addresses
from generator.pages.blocks import Cell, Table
from generator.pages.heads.atlas import Atlas
from generator.pages.links import to_claim, to_model, to_models, to_reference
from generator.pages.studies.contexts import TasksPage
from generator.pages.studies.tables import table
from generator.pages.tasks.disabling import disabled, importance
from generator.pages.tasks.pruning import pruning, removable
from generator.pages.tasks.results import METRICS, NAMES, NEEDED, Sweep, Tuned, sweeps, tuned, with_own_n
from generator.pages.tasks.scores import Score, scores, scores_figure, scores_table
from generator.studies.experiments.task_quantities import DISABLING, PRUNING, SCORES

TITLE = "Tasks"
JUDGED = ("K06", "K07", "K08", "K15", "K16", "R02")
"""Claims that these numbers decide."""


def there(atlas: Atlas) -> bool:
    """Whether the model was tried on a labelled task."""
    facts, heads = (atlas.results.table(name) for name in ("facts", "head_facts"))
    return bool(
        facts["study"].isin([SCORES.name, PRUNING.name]).any()
        or (heads["study"] == DISABLING.name).any()
        or tuned(atlas)
    )


def tasks_page(atlas: Atlas) -> TasksPage:
    """Scores by way of training, changes without heads, pruning curves."""
    here = addresses.tasks(atlas.slug)
    scored, swept = scores(atlas), sweeps(atlas)
    return TasksPage(
        models=to_models(here),
        model=to_model(atlas.slug, atlas.results.manifest.model, here),
        lead=_lead(scored, swept, len(atlas.places)),
        source=to_reference("kovaleva2019", "Kovaleva et al. 2019", here),
        pruned_by=to_reference("michel2019", "Michel et al. 2019", here),
        claims=tuple(to_claim(one.id, f"{one.id}: {one.title}", here) for one in CLAIMS if one.id in JUDGED),
        scores_figure=scores_figure(scored) if scored else None,
        scores=scores_table(scored, here) if scored else None,
        changed=_changed(tuned(atlas)),
        disabled=disabled(atlas, swept, here),
        pruning=pruning(atlas),
        removable=removable(atlas, here),
        importance=importance(swept, here),
    )


def _lead(scored: Sequence[Score], swept: Sequence[Sweep], heads: int) -> str:
    gains = [
        f"{NAMES.get(one.task, one.task)} from {number(*before[:3])} to {number(*after[:3])}"
        for one in scored
        if one.metric == METRICS.get(one.task, one.metric)
        and (before := one.number(FROZEN))
        and (after := one.number(FINE_TUNED))
    ]
    needed = [f"{sweep.name} {sweep.how_many(way, NEEDED)}" for sweep in swept for way in sweep.judged[:1]]
    text = f"Scores, frozen and then fine-tuned: {', '.join(gains)}. " if gains else ""
    if needed:
        text += f"Heads of {heads} that are needed, each disabled alone: {', '.join(needed)}."
    return text.strip() or "What labelled tasks say of this model."


def _changed(found: Sequence[Tuned]) -> Table | None:
    """Cosines of the maps before and after fine-tuning, by layer and task."""
    if not found:
        return None
    names = [one.name for one in found]
    layers = sorted({layer for one in found for layer in one.layers if layer})
    return table(
        "Cosine of maps before and after fine-tuning",
        ("layer", *(one.name if names.count(one.name) == 1 else f"{one.name}, {one.other}" for one in found)),
        (
            (Cell("all" if layer == 0 else str(layer)), *(with_own_n(one.layers.get(layer)) for one in found))
            for layer in (*layers, 0)
        ),
    )
