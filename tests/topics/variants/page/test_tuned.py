"""What hand-written pages say of trainings with and without a setting that were fine-tuned."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from generator.corpora.kinds import TASK
from generator.corpora.tasks import find_task, read_task
from generator.errors import SiteError
from generator.numbers.number import Number
from generator.numbers.writing import number, written
from generator.pages.heads.atlas import Atlas
from generator.results.store import find
from generator.results.writing import write
from generator.studies.fact_rows import facts
from generator.topics.variants.page.written import RULE, UNTUNED, tuned
from generator.topics.variants.records import TUNED
from generator.topics.variants.run.groups import Variant
from generator.topics.variants.run.tuned import scored
from tests.experiments.reviews import write_tasks
from tests.pages.written.contexts import context
from tests.results.samples import corpus_of, manifest, tables
from tests.topics.tasks.page.test_written import cells

VARIANTS = (Variant("bert", {}, (0, 1)), Variant("no-next", {}, (2, 3)))
NAMES = (("bert-0", "bert-1"), ("no-next-0", "no-next-1"))
WRONG = {"sst2": (0.02, 0.02, 0.12, 0.12), "rte": (0.1, 0.1, 0.5, 0.1)}
"""Task -> how often each training is wrong; one did not learn RTE."""
NEXT: tuple[dict[str, Any], ...] = ({"next_sentence": True}, {"next_sentence": False})


def trained(place: Path, settings: tuple[dict[str, Any], ...] = NEXT) -> tuple[Atlas, dict[str, dict[str, Number]]]:
    """A model with such trainings, and what is stored of each task."""
    write(place, manifest(), tables())
    told = [
        {"name": one.name, "settings": own, "trainings": [{"name": name} for name in names]}
        for one, own, names in zip(VARIANTS, settings, NAMES, strict=True)
    ]
    kept = {}
    for task, shares in WRONG.items():
        dev = read_task(find_task(task), write_tasks(place / "data", dev=300), "dev")
        gold, rng = np.array([example.label for example in dev.examples]), np.random.default_rng(7)
        wrong = rng.random((4, 2, len(gold))) < np.array(shares)[:, None, None]
        kept[task] = scored(np.where(wrong, 1 - gold, gold), dev, VARIANTS)
        record = manifest(
            corpora=(corpus_of(TASK, task, language="en"),), experiment=f"variants.{task}", settings={"variants": told}
        )
        write(place, record, {"facts": facts(kept[task], TUNED, "Tiny", task)})
    (results,) = find([place])
    return Atlas(results), kept


def test_the_table_has_the_stored_scores_and_says_which_difference_counts(tmp_path: Path) -> None:
    atlas, kept = trained(tmp_path)
    found, rule = tuned(context(atlas), "next_sentence").split("\n\n")
    head, _, first, other, change, apart, common = cells(found)
    assert head == ["trained", "trainings", "RTE, accuracy", "SST-2, accuracy"]
    scores = kept["sst2"]
    assert scores["score.2.counts"].value == 1
    assert first == ["with next-sentence prediction", "2", "not learned", written(scores["score.1"])]
    assert other == ["without it", "2", "not learned", written(scores["score.2"])]
    assert change[2:] == ["-", f"{written(scores['score.2.minus'], signed=True)}, less"]
    assert apart[2:] == ["-", number(scores["score.apart"].value)]
    assert common == [
        "always the commonest answer",
        "-",
        *(number(kept[task]["score.majority"].value) for task in ("rte", "sst2")),
    ]
    assert rule == RULE


def test_tasks_of_other_trainings_have_a_table_of_their_own(tmp_path: Path) -> None:
    atlas, _ = trained(tmp_path)
    rte = next(one for one in atlas.results.more if one.manifest.experiment == "variants.rte")
    rte.manifest.settings["variants"][1]["trainings"][1]["name"] = "another"
    first, second, _ = tuned(context(atlas), "next_sentence").split("\n\n")
    assert [cells(one)[0][2:] for one in (first, second)] == [["RTE, accuracy"], ["SST-2, accuracy"]]


def test_trainings_that_differ_in_more_are_not_shown(tmp_path: Path) -> None:
    atlas, _ = trained(tmp_path, tuple(one | {"segments": one["next_sentence"]} for one in NEXT))
    assert tuned(context(atlas), "next_sentence") == UNTUNED


def test_without_such_trainings_one_sentence_says_so() -> None:
    assert tuned(context(), "next_sentence") == UNTUNED


def test_another_setting_is_refused() -> None:
    with pytest.raises(SiteError, match="Expected one of next_sentence as a setting, found 'speed'; correct"):
        tuned(context(), "speed")
