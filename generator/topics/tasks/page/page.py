"""A model's page on tasks: what fine-tuning gains and changes, and what disabling and pruning heads costs."""

from collections.abc import Iterator, Mapping, Sequence

from generator.numbers.writing import listed, number
from generator.pages import addresses
from generator.pages.blocks import Note, Section, Sections, opening, present
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import prose
from generator.pages.links import list_of_claims, model_crumbs, to_reference
from generator.pages.studies.study_page import StudyPage
from generator.pages.studies.tables import numbers_of, table, with_interval
from generator.topics.compare.records.comparison import COMPARISON
from generator.topics.tasks.claims.learned import FINE_TUNED, FROZEN, MAJORITY
from generator.topics.tasks.derived.verdicts import NEEDED
from generator.topics.tasks.page.disabling import disabling, importance
from generator.topics.tasks.page.pruning import PRUNED_BY, pruning
from generator.topics.tasks.page.results import WAYS, Sweep, Tuned, sweeps, tuned, with_own_n
from generator.topics.tasks.page.scores import GAIN, Score, fine_tuning, scores
from generator.topics.tasks.page.words import METRICS, NAMES
from generator.topics.tasks.records.tasks import DISABLING, PRUNING, SCORES

TITLE = "Tasks"
UNSCORED = "How well it does on a task, and which heads it needs there, was not measured."


def there(atlas: Atlas) -> bool:
    """Whether the model was tried on a labelled task."""
    facts, heads = (atlas.results.table(name) for name in ("facts", "head_facts"))
    return bool(
        facts["study"].isin([SCORES.name, PRUNING.name]).any()
        or (heads["study"] == DISABLING.name).any()
        or tuned(atlas)
    )


def tasks_page(atlas: Atlas) -> Sections:
    """Scores by way of training, changes without heads, pruning curves."""
    here = addresses.tasks(atlas.slug)
    scored, swept = scores(atlas), sweeps(atlas)
    texts = list(_results(scored, swept, len(atlas.places)))
    return Sections(
        title=TITLE,
        lead=" ".join(texts or (*_moved(atlas), UNSCORED)),
        card=(*texts, *_moved(atlas), "")[0],
        crumbs=model_crumbs(atlas.slug, atlas.results.manifest.model, here),
        sections=present(
            claims(atlas, here),
            fine_tuning(scored, here),
            changed(tuned(atlas)),
            *disabling(atlas, swept, _copies(scored), here),
            pruning(atlas, here),
            importance(swept, here),
        ),
    )


def _results(scored: Sequence[Score], swept: Sequence[Sweep], heads: int) -> Iterator[str]:
    """A sentence on what fine-tuning surely gains, and one on what heads are needed, where there are numbers."""
    told = [score for score in scored if score.metric == METRICS.get(score.task, score.metric)]
    gains = [
        f"from {number(*before[:3])} to {number(*after[:3])} on {NAMES.get(score.task, score.task)}"
        for score in told
        if (before := score.number(FROZEN))
        and (after := score.number(FINE_TUNED))
        and (gain := score.number(GAIN))
        and gain.low > 0
    ]
    judged = [sweep for sweep in swept if sweep.judged and sweep.learned]  # what was not learned cannot be lost
    if gains:
        yield f"Fine-tuning all weights and not the classifier alone takes the score {listed(gains)}."
    elif reached := [_reached(score) for score in told if score.number(FINE_TUNED) and not score.number(FROZEN)]:
        yield f"Fine-tuned, it reaches {listed(reached)}."
    elif scored:
        yield "On no task is fine-tuning all weights surely better than training the classifier alone."
    for way, (done, _) in WAYS.items():
        needed = {sweep.name: sweep.how_many(way, NEEDED) for sweep in judged if sweep.judged[0] == way}
        if needed:
            yield _needed(needed, heads, done)
    if lost := [sweep.name for sweep in swept if not sweep.learned]:
        yield f"It has not surely learned {listed(lost, 'or')}."


def _reached(score: Score) -> str:
    """The score of fine-tuned weights, beside that of the commonest answer if it has one."""
    after, common = score.number(FINE_TUNED), score.number(MAJORITY)
    assert after
    beside = f", where the commonest answer gets {number(common.value)}" if common else ""
    return f"{number(*after[:3])} on {NAMES.get(score.task, score.task)}{beside}"


def _copies(scored: Sequence[Score]) -> Mapping[str, int]:
    """Task -> the number of fine-tuned copies whose mean score is told."""
    return {score.task: len(score.seeds.get(FINE_TUNED, ())) for score in scored}


def _moved(atlas: Atlas) -> Iterator[str]:
    """A sentence for each task on how alike the maps are before and after fine-tuning."""
    for tuning in tuned(atlas):
        if 0 in tuning.layers:
            cosine = with_interval(tuning.layers[0])
            text = f"Maps before and after fine-tuning on {tuning.name} have a mean cosine of {cosine}"
            yield f"{text}; 1 would be no change."


def _needed(needed: Mapping[str, int], heads: int, done: str) -> str:
    """How many heads each task needs; `done` says how they were disabled.

    >>> _needed({"RTE": 0, "MRPC": 1, "STS-B": 7}, 72, "made uniform")
    'Of its 72 heads, made uniform one at a time, 1 is surely needed for MRPC and 7 for STS-B, none for RTE.'
    >>> _needed({"RTE": 0, "MRPC": 0}, 72, "set to zero")
    'Of its 72 heads, set to zero one at a time, none is surely needed for RTE or MRPC.'
    """
    some = [(task, count) for task, count in needed.items() if count]
    parts = [
        f"{count}{(' is' if count == 1 else ' are') + ' surely needed' if not at else ''} for {task}"
        for at, (task, count) in enumerate(some)
    ]
    without = listed([task for task, count in needed.items() if not count], "or")
    texts = [listed(parts)] if parts else []
    if without:
        texts.append(f"none for {without}" if parts else f"none is surely needed for {without}")
    return f"Of its {heads} heads, {done} one at a time, {', '.join(texts)}."


def claims(atlas: Atlas, page: str) -> Section:
    """The papers that the experiments follow, and the claims that rest on their numbers."""
    return opening(
        prose(
            "After {kovaleva}, sections 4.3 and 4.6, and {michel}; intervals are ours. These claims rest on "
            "such numbers:",
            kovaleva=to_reference("kovaleva2019", "Kovaleva et al. 2019", page),
            michel=to_reference(*PRUNED_BY, page),
        ),
        list_of_claims(numbers_of(atlas, SCORES, DISABLING, PRUNING, COMPARISON), page),
    )


def changed(found: Sequence[Tuned]) -> Section | None:
    """Cosines of the maps before and after fine-tuning, by layer and task; None without any."""
    if not found:
        return None
    names = [tuning.name for tuning in found]
    layers = sorted({layer for tuning in found for layer in tuning.layers if layer})
    return Section(
        "changed",
        "What fine-tuning changes",
        (
            table(
                "Cosine of maps before and after fine-tuning",
                (
                    "layer",
                    *(
                        tuning.name if names.count(tuning.name) == 1 else f"{tuning.name}, {tuning.other}"
                        for tuning in found
                    ),
                ),
                (
                    (str(layer) if layer else "all", *(with_own_n(tuning.layers.get(layer)) for tuning in found))
                    for layer in (*layers, 0)
                ),
            ),
            Note(
                "The cosine between a head's map before and after fine-tuning, on the same dev examples and without "
                "padding; mean over heads, 95 % intervals over examples. 1 means no change."
            ),
        ),
    )


PAGE = StudyPage(TITLE, addresses.tasks, there, tasks_page)
