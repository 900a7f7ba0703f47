"""The page on tasks says what experiments stored, of the right task, head and layer, and nothing more."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import numpy as np
import pandas as pd
import pytest

from generator.claims import CLAIMS
from generator.corpora.kinds import CorpusKind
from generator.corpora.tasks import TASKS, find_task
from generator.home import DATA, TEMPLATES
from generator.numbers.number import Number
from generator.numbers.writing import interval, number, pieces
from generator.pages import addresses
from generator.pages.blocks import Figure, Items, Sections, Table
from generator.pages.figures import DIGITS
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.studies import CLASSES, HeadStudies
from generator.pages.renderer import Renderer
from generator.pages.tasks.page import tasks_page, there
from generator.pages.tasks.results import BETTER, NEEDED, UNSEEN, Effects, judge
from generator.results.store import Results, write
from generator.results.tables import TABLES
from tests.pages.contract import check_charts, check_html
from tests.pages.reading import anchors as found_anchors
from tests.pages.reading import block, every, prose, section, seen
from tests.pages.studies.test_all import anchors
from tests.results.samples import corpus_of, manifest
from tests.site.documents import Document

LAYERS, HEADS = 2, 5
PLACES = [(layer, head) for layer in range(1, LAYERS + 1) for head in range(1, HEADS + 1)]
HOSTILE = '"><img src=x onerror=alert(1)> {{ 7*7 }} <b>&amp;'
OTHER = "compare:tiny-rte"
CORPUS = ("rte", "mrpc", "stsb", HOSTILE)
"""Two tasks, a regression, and one that is in no list."""
STARTS = ("pretrained.frozen", "random.fine-tuned", "pretrained.fine-tuned")
WAYS = {"uniform": "made uniform", "zero": "set to zero"}
EXAMPLES = {"rte": 277, "mrpc": 408, "stsb": 1500, HOSTILE: 31}
Rows = list[dict[str, Any]]


def metrics_of(task: str) -> tuple[str, ...]:
    """Names of scores, the headline first."""
    return find_task(task).metrics if task in {one.name for one in TASKS} else ("accuracy",)


def name_of(task: str) -> str:
    """What a page calls a task."""
    return {"rte": "RTE", "mrpc": "MRPC", "stsb": "STS-B"}.get(task, task)


class Maker:
    """Invents rows of tables, no two numbers alike."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(5)
        self.tables: dict[str, Rows] = {"facts": [], "head_facts": []}

    def add(self, value: float, n: int, spread: float = 0.03, **of: Any) -> None:
        """One row, of a head if `of` names one."""
        ends = {"low": value - self.rng.uniform(0, spread), "high": value + self.rng.uniform(0, spread)}
        table = self.tables["head_facts" if "head" in of else "facts"]
        table.append({"model": "Tiny", "layer": 0, "value": value, "n": n} | ends | of)

    def scores(self, task: str, n: int) -> None:
        """Seeds in no order; the majority of a regression is undefined."""
        of = {"corpus": task, "study": "scores"}
        for metric in metrics_of(task):
            self.add(np.nan if task == "stsb" else self.rng.uniform(0.4, 0.6), n, name=f"{metric}.majority", **of)
            for name in (f"{metric}.{start}{end}" for start in STARTS for end in ("", ".seed10", ".seed2", ".seed0")):
                self.add(self.rng.uniform(0.5, 0.9), n, name=name, **of)
            for name in (*(f"{start}.lead" for start in STARTS), *(f"{STARTS[2]}.minus.{one}" for one in STARTS[:2])):
                self.add(self.rng.normal(0.1, 0.1), n, name=f"{metric}.{name}", **of)

    def sweep(self, task: str, n: int) -> None:
        """Changes of heads and layers that have nothing to do with one another."""
        of = {"corpus": task, "study": "disabling"}
        self.add(self.rng.uniform(0.5, 0.9), n, name="base", **of)
        self.add(self.rng.uniform(0.4, 0.6), n, name="base.majority", **of)
        self.add(0.0 if task == "rte" else 0.2, n, name="base.lead", **of)
        for way in WAYS:
            self.add(self.rng.normal(0, 0.03), n, name=f"{way}.mean", **of)
            for at in [*({"layer": layer, "head": head} for layer, head in PLACES), {"layer": 1}, {"layer": 2}]:
                change = self.rng.normal(0, 0.03)
                self.add(change, n, name=way, **of, **at)
                self.add(change, n, 0.05, name=f"{way}.family", **of, **at)
        for kind in ("best_head", "best_layer"):
            self.add(self.rng.normal(0, 0.03), n // 2, name=f"uniform.{kind}", **of)
        for layer in range(1, LAYERS + 1):
            self.add(self.rng.normal(0, 0.03), n // 2, name="zero.best_left", layer=layer, **of)
        for layer, head in PLACES:
            self.add(self.rng.exponential(), n, name="importance", layer=layer, head=head, **of)

    def pruning(self, task: str, n: int) -> None:
        """Steps in no order."""
        of = {"corpus": task, "study": "pruning"}
        for gone in (10, 0, 2, 4):
            self.add(self.rng.uniform(0.3, 0.9), n, name=f"score.{gone}", **of)
        self.add(self.rng.uniform(0.2, 0.7), n, name="removable", **of)

    def comparison(self, task: str, study: str, copied: float) -> None:
        """Another model on the same examples."""
        of = {"corpus": task, "study": study}
        self.add(copied, 1, name="copy", **of)
        for layer in range(LAYERS + 1):
            self.add(self.rng.uniform(0.5, 1), 50, name="cosine", layer=layer, **of)
        for layer, head in PLACES:
            self.add(self.rng.uniform(0.5, 1), 50, name="cosine", layer=layer, head=head, **of)


@pytest.fixture(scope="module")
def made() -> dict[str, Rows]:
    """Gives the tables of every experiment, and of comparisons that are none with a fine-tuned model."""
    maker = Maker()
    for task, n in EXAMPLES.items():
        maker.scores(task, n)
        maker.sweep(task, n)
        maker.pruning(task, n)
    maker.comparison("rte", OTHER, 1.0)
    maker.comparison("mrpc", "compare:stranger", 0.0)
    maker.comparison("texts", "compare:b", 1.0)
    return maker.tables


def atlas_of(place: Path, tables: Mapping[str, Rows], seed: int = 0) -> Atlas:
    """Stored results of two layers of five heads, rows in any order."""
    rows = [
        {"corpus": "texts", "measure": f"{kind}.{name}", "layer": layer, "head": head, "n": 9, "uniform": 0.1}
        | dict.fromkeys(("value", "low", "high"), 0.25)
        for kind in ("attention", "norm")
        for _, name in CLASSES
        for layer, head in PLACES
    ]
    heads = pd.DataFrame(rows).assign(model="Tiny")
    filled = {
        name: pd.DataFrame(table).sample(frac=1, random_state=seed).reindex(columns=TABLES[name].names)
        for name, table in tables.items()
        if table
    }
    whole = {name: TABLES[name].empty_table().to_pandas() for name in ("documents", "uniform", "examples")}
    whole |= {"heads": heads, "layers": heads.drop_duplicates(["measure", "layer"])} | filled
    tasks = dict.fromkeys(str(row["corpus"]) for row in tables.get("facts", []) if row["corpus"] != "texts")
    read = (corpus_of(CorpusKind.TEXT, "texts", documents=9), *(corpus_of(CorpusKind.TASK, task) for task in tasks))
    record = manifest(layers=LAYERS, heads=HEADS, corpora=read)
    return Atlas(Results.open(write(place, record, whole)))


@pytest.fixture(scope="module")
def atlas(made: dict[str, Rows], tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Gives results with every experiment."""
    return atlas_of(tmp_path_factory.mktemp("tasks"), made)


@pytest.fixture(scope="module")
def page(atlas: Atlas) -> Sections:
    """Gives the sections."""
    return tasks_page(atlas)


@pytest.fixture(scope="module")
def html(page: Sections) -> str:
    """Gives the page."""
    return Renderer(TEMPLATES).render("page.html", page)


def one(rows: Rows, **chosen: Any) -> dict[str, Any]:
    """The only row with these values."""
    found = [row for row in rows if all(row.get(name) == value for name, value in chosen.items())]
    assert len(found) == 1, chosen
    return found[0]


def alone(row: dict[str, Any]) -> str:
    return pieces(Number.of(row))[0]


def swept() -> list[tuple[str, str]]:
    """Anchors of the sections on disabled heads, and their tasks."""
    return [(f"disabled-{at}", task) for at, task in enumerate(CORPUS, start=1)]


def tables(page: Sections, label: str, anchor: str) -> list[Table]:
    """Those of a section whose label begins so."""
    return [one for one in section(page, anchor).blocks if isinstance(one, Table) and one.label.startswith(label)]


def scores_in(page: Sections) -> tuple[Any, ...]:
    """The rows of the table of scores."""
    return block(page, "fine-tuning", Table).rows


def points(row: dict[str, Any]) -> str:
    return number(*(100 * row[field] for field in ("value", "low", "high")))


def between(row: dict[str, Any], factor: float = 1) -> str:
    return interval(factor * row["low"], factor * row["high"])


def printed(value: float, digits: int = DIGITS) -> float | None:
    """As a figure holds it."""
    return None if np.isnan(value) else round(value, digits)


# Scores


def test_every_score_stands_in_its_column_with_interval_seeds_and_n(made, page):
    rows = [row for row in scores_in(page) if not row[0].text.startswith("published")]
    expected = [(task, metric) for task in CORPUS for metric in metrics_of(task)]
    assert [row[0].text.partition(",")[0] for row in rows] == [name_of(task) for task, _ in expected]
    for row, (task, metric) in zip(rows, expected, strict=True):
        for cell, how in zip(row[1:5], ("majority", *STARTS), strict=True):
            stored = one(made["facts"], corpus=task, study="scores", name=f"{metric}.{how}")
            assert cell.text == alone(stored)
            parts = [between(stored)]
            if how != "majority":
                names = [f"{metric}.{how}.seed{seed}" for seed in (0, 2, 10)]
                seeds = [number(one(made["facts"], corpus=task, name=name)["value"]) for name in names]
                parts.append(f"3 seeds: {', '.join(seeds)}")
                led = one(made["facts"], corpus=task, study="scores", name=f"{metric}.{how}.lead")
                parts.append(f"{alone(led)} above the majority class ({between(led)})")
            assert cell.note == "; ".join(part for part in parts if part != "-")
        assert row[6].text == f"{EXAMPLES[task]:,}"
    assert [*map(seen, block(page, "fine-tuning", Table).columns)][1:5] == [
        "majority class",
        "frozen",
        "random, fine-tuned",
        "pre-trained, fine-tuned",
    ]


def test_gain_is_that_of_fine_tuned_and_frozen_paired_and_none_where_it_is_not_stored(made, page, tmp_path):
    rows = iter(row for row in scores_in(page) if not row[0].text.startswith("published"))
    for task in CORPUS:
        for metric in metrics_of(task):
            stored = one(made["facts"], corpus=task, name=f"{metric}.{STARTS[2]}.minus.{STARTS[0]}")
            gain = next(rows)[5]
            assert gain.text == points(stored)
            assert gain.note == between(stored, 100)
    before = [row for row in made["facts"] if not re.search(r"\.(lead|minus\..*)$", row["name"])]
    old = tasks_page(atlas_of(tmp_path, {**made, "facts": before}))
    own = [row for row in scores_in(old) if not row[0].text.startswith("published")]
    assert {row[5].text for row in own} == {"-"}
    assert not any("above the majority" in seen(cell) for row in own for cell in row)
    assert not any("above the majority" in text for anchor, _ in swept() for text in prose(old, anchor))


def test_published_scores_stand_below_those_of_their_task_and_metric(page):
    groups = tomllib.loads((DATA / "published" / "kovaleva.toml").read_text())["group"]
    (paper,) = (group["values"] for group in groups if group["key"] == "kovaleva.table1")
    found = {}
    for above, row in zip(scores_in(page), scores_in(page)[1:], strict=False):
        if row[0].text == "published":
            found[above[0].text] = row
            assert row[0].href.endswith("/references/#kovaleva2019")
    named = {
        "RTE, accuracy": paper["rte"]["accuracy"],
        "MRPC, accuracy": paper["mrpc"]["accuracy"],
        "MRPC, F1": paper["mrpc"]["f1"],
        "STS-B, Spearman's correlation": paper["stsb"]["accuracy"],
    }
    assert set(found) == set(named)
    for name, values in named.items():
        row = found[name]
        shown = [number(values[key] / 100) for key in ("pretrained", "random", "finetuned")]
        assert [cell.text for cell in row[1:5]] == ["-", *shown]
        assert row[5] == number(values["finetuned"] - values["pretrained"])
    assert found["STS-B, Spearman's correlation"][0].note == "BERT-base, accuracy"
    assert "does not say what accuracy means there" in found["STS-B, Spearman's correlation"][4].note
    assert found["MRPC, F1"][0].note == "BERT-base, F1"


def test_chart_of_scores_has_the_stored_numbers(made, page):
    columns = json.loads(block(page, "fine-tuning", Figure).data)["views"][0]["columns"]
    systems = ["majority class", "frozen", "random, fine-tuned", "pre-trained, fine-tuned"]
    names = {"accuracy": "accuracy", "F1": "f1"}
    names |= {"Spearman's": "spearman", "Pearson's": "pearson"}
    tasks = {name_of(task): task for task in CORPUS}
    assert len(columns["task"]) == 4 * sum(len(metrics_of(task)) for task in CORPUS)
    for at, (task, system) in enumerate(zip(columns["task"], columns["system"], strict=True)):
        title, _, metric = task.rpartition(", ")
        name = f"{names[metric]}.{('majority', *STARTS)[systems.index(system)]}"
        stored = one(made["facts"], corpus=tasks[title], study="scores", name=name)
        for field in ("value", "low", "high"):
            assert columns[field][at] == printed(stored[field])
        assert (columns["n"][at], columns["seeds"][at]) == (stored["n"], 0 if system == "majority class" else 3)


# Heads


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (-2.0, -0.1, NEEDED),
        (-2.0, 0.0, UNSEEN),
        (0.0, 0.0, UNSEEN),
        (-1.0, 1.0, UNSEEN),
        (0.0, 2.0, UNSEEN),
        (0.1, 2.0, BETTER),
        (np.nan, np.nan, ""),
    ],
)
def test_a_head_is_judged_by_which_side_of_zero_its_interval_lies(low, high, verdict):
    assert judge({"low": low, "high": high}) == verdict


def slow_verdict(made: dict[str, Rows], task: str, way: str, **at: int) -> str:
    rows = made["head_facts" if "head" in at else "facts"]
    family = one(rows, corpus=task, study="disabling", name=f"{way}.family", **at)
    return NEEDED if family["high"] < 0 else BETTER if family["low"] > 0 else UNSEEN


def test_grid_has_every_head_in_its_place(made, page):
    assert [seen(section(page, anchor).title) for anchor, _ in swept()] == [
        *(find_task(task).title for task in ("rte", "mrpc", "stsb")),
        HOSTILE,
    ]
    verdicts = set()
    for anchor, task in swept():
        figure = block(page, anchor, Figure)
        data = json.loads(figure.data)
        assert list(zip(data["shared"]["layer"], data["shared"]["head"], strict=True)) == PLACES
        assert [view.text for view in figure.views] == list(WAYS.values())
        largest = max(
            abs(100 * row["value"])
            for row in made["head_facts"]
            if row["corpus"] == task and row["study"] == "disabling" and row["name"] in WAYS
        )
        for view, way in zip(data["views"], WAYS, strict=True):
            columns = view["columns"]
            assert view["signals"]["top"] == printed(largest)
            assert view["constants"]["n"] == EXAMPLES[task]
            for at, (layer, head) in enumerate(PLACES):
                of = {"corpus": task, "study": "disabling", "layer": layer, "head": head}
                change, family = (one(made["head_facts"], name=name, **of) for name in (way, f"{way}.family"))
                for field in ("value", "low", "high"):
                    assert columns[field][at] == printed(100 * change[field])
                assert columns["family_low"][at] == printed(100 * family["low"])
                assert columns["family_high"][at] == printed(100 * family["high"])
                assert columns["direction"][at] == ("more" if change["value"] > 0 else "less")
                assert columns["size"][at] == abs(columns["value"][at])
                assert data["shared"]["href"][at] == f"../heads/{layer}-{head}/"
                verdict = slow_verdict(made, task, way, layer=layer, head=head)
                assert (columns["verdict"][at], columns["sure"][at]) == (verdict, int(verdict != UNSEEN))
                verdicts.add(verdict)
    assert verdicts == {NEEDED, UNSEEN, BETTER}


def test_the_same_as_a_table_has_both_intervals_and_the_importance(made, page):
    for anchor, task in swept():
        for row, (layer, head) in zip(block(page, anchor, Figure).table.rows, PLACES, strict=True):
            of = {"corpus": task, "study": "disabling", "layer": layer, "head": head}
            expected = [f"{layer}-{head}"]
            for way in WAYS:
                change, family = (one(made["head_facts"], name=name, **of) for name in (way, f"{way}.family"))
                expected += [points(change), between(change, 100), between(family, 100)]
                expected.append(slow_verdict(made, task, way, layer=layer, head=head))
            expected.append(number(one(made["head_facts"], name="importance", **of)["value"]))
            assert list(row) == expected


def test_heads_beyond_doubt_are_listed_most_needed_first_and_counted(made, page):
    for anchor, task in swept():
        expected = []
        for at, (way, done) in enumerate(WAYS.items()):
            said = {place: slow_verdict(made, task, way, layer=place[0], head=place[1]) for place in PLACES}
            counts = [f"{name} {list(said.values()).count(name)}" for name in (NEEDED, UNSEEN, BETTER)]
            assert prose(page, anchor)[1 + at].startswith(f"10 heads {done}, one at a time: {', '.join(counts)}.")
            sure = []
            for place in (place for place in PLACES if said[place] != UNSEEN):
                of = {"corpus": task, "study": "disabling", "layer": place[0], "head": place[1]}
                change, family = (one(made["head_facts"], name=name, **of) for name in (way, f"{way}.family"))
                shown = f"{points(change)} {between(change, 100)}", between(family, 100), f"{EXAMPLES[task]:,}"
                sure.append((change["value"], [f"{place[0]}-{place[1]}", done, said[place], *shown]))
            expected += [row for _, row in sorted(sure)]
        rows = [row for table in tables(page, "Heads that change", anchor) for row in table.rows]
        assert [[*map(seen, row)] for row in rows] == expected
        assert all(row[0].href == f"../heads/{row[0].text}/" for row in rows)


def test_sentences_give_the_mean_and_the_choice_on_one_half(made, page):
    for anchor, task in swept():
        of = {"corpus": task, "study": "disabling", "layer": 0}
        base = one(made["facts"], name="base", **of)
        read, *found = prose(page, anchor)
        assert f" is {alone(base)} ({between(base)}, n {EXAMPLES[task]:,})." in read
        lead = one(made["facts"], name="base.lead", **of)
        told = f"That is {alone(lead)} ({between(lead)}, n {EXAMPLES[task]:,}) above the majority class"
        assert told in read
        assert ("not surely learned" in read) == (lead["low"] <= 0)
        for at, way in enumerate(WAYS):
            mean = one(made["facts"], name=f"{way}.mean", **of)
            assert f"by {points(mean)} points ({between(mean, 100)}, n {EXAMPLES[task]:,}), mean" in found[at]
        for kind in ("head", "layer"):
            best = one(made["facts"], name=f"uniform.best_{kind}", **of)
            text = f"changes the score by {points(best)} points ({between(best, 100)}, n {EXAMPLES[task] // 2:,}) on"
            assert f"The best {kind} to be made uniform, chosen on one half of the examples, {text}" in found[0]
            assert f"The best {kind}" not in found[1]


def test_layers_are_those_of_facts_and_not_sums_of_heads(made, page):
    for anchor, task in swept():
        (table,) = tables(page, "Whole layers", anchor)
        assert [row[0] for row in table.rows] == ["1", "2"]
        for layer, row in enumerate(table.rows, start=1):
            of = {"corpus": task, "study": "disabling", "layer": layer}
            stored = [one(made["facts"], name=name, **of) for name in (*WAYS, "zero.best_left")]
            assert [cell.text for cell in row[1:4]] == [points(change) for change in stored]
            assert [cell.note for cell in row[1:4]] == [f"{between(c, 100)}, n {c['n']:,}" for c in stored]
            for cell, way in zip(row[4:], WAYS, strict=True):
                family = next(
                    row
                    for row in made["facts"]
                    if (row["corpus"], row["name"], row["layer"]) == (task, f"{way}.family", layer)
                )
                said = NEEDED if family["high"] < 0 else BETTER if family["low"] > 0 else UNSEEN
                assert (cell.text, cell.note) == (said, between(family, 100))


# Pruning and importance


def test_pruning_goes_by_number_and_says_what_can_go(made, page):
    groups = tomllib.loads((DATA / "published" / "others.toml").read_text())["group"]
    (paper,) = (group["values"] for group in groups if group["key"] == "michel.pruned")
    figure, removable = block(page, "pruning", Figure), block(page, "pruning", Table)
    views = json.loads(figure.data)["views"]
    assert [view.text for view in figure.views] == [name_of(task) for task in CORPUS]
    for view, task, row in zip(views, CORPUS, removable.rows, strict=True):
        columns = view["columns"]
        assert columns["gone"] == [0, 2, 4, 10]
        of = {"corpus": task, "study": "pruning"}
        for at, gone in enumerate(columns["gone"]):
            stored = one(made["facts"], name=f"score.{gone}", **of)
            assert [columns[field][at] for field in ("value", "low", "high")] == [
                printed(stored[field]) for field in ("value", "low", "high")
            ]
        share = one(made["facts"], name="removable", **of)
        assert set(columns["removable"]) == {printed(10 * share["value"])}
        assert set(columns["whole"]) == {columns["value"][0]}
        assert view["signals"]["heads"] == LAYERS * HEADS
        said = number(paper[task] / 100) if task in paper else "-"
        heads = str(round(10 * share["value"]))
        assert [row[0].text, row[1].text, *map(seen, row[2:4])] == [name_of(task), alone(share), heads, said]
        assert (row[1].note, row[4].text) == (between(share), f"{EXAMPLES[task]:,}")


def ranks(values: list[float]) -> list[float]:
    """1 for the smallest; no two are alike."""
    return [1 + sum(other < value for other in values) for value in values]


def test_importance_is_correlated_with_the_loss_over_heads(made, page):
    rows = block(page, "importance", Table).rows
    assert len(rows) == len(CORPUS) * len(WAYS)
    for at, row in enumerate(rows):
        task, way = CORPUS[at // 2], list(WAYS)[at % 2]
        of = {"corpus": task, "study": "disabling"}
        both = []
        for name, sign in (("importance", 1), (way, -1)):
            found = [one(made["head_facts"], name=name, layer=la, head=he, **of)["value"] for la, he in PLACES]
            both.append(ranks([sign * value for value in found]))
        n = len(PLACES)
        rho = 1 - 6 * sum((a - b) ** 2 for a, b in zip(*both, strict=True)) / (n * (n * n - 1))
        assert [*map(seen, row[:2])] == [name_of(task), WAYS[way]]
        low, high = map(float, row[2].note.split(" to "))
        assert low < float(row[2].text) < high
        assert float(row[2].text) == pytest.approx(rho, abs=0.05)
        assert row[3].text == "10"


def test_equal_importance_has_no_correlation(made, tmp_path):
    rows = [row | {"value": 1.0} if row["name"] == "importance" else row for row in made["head_facts"]]
    table = block(tasks_page(atlas_of(tmp_path, made | {"head_facts": rows})), "importance", Table)
    assert {row[2].text for row in table.rows} == {"-"}


# Fine-tuning


def test_cosines_are_of_copies_on_their_task_alone(made, page):
    table = block(page, "changed", Table)
    assert table.columns == ("layer", "RTE")
    assert [row[0] for row in table.rows] == ["1", "2", "all"]
    for row, layer in zip(table.rows, (1, 2, 0), strict=True):
        stored = one(made["facts"], corpus="rte", study=OTHER, name="cosine", layer=layer)
        assert (row[1].text, row[1].note) == (alone(stored), f"{between(stored)}, n 50")


def test_two_copies_of_one_task_are_told_apart(made, tmp_path):
    more = [row | {"study": f"{OTHER}-2"} for row in made["facts"] if row["study"] == OTHER]
    table = block(tasks_page(atlas_of(tmp_path, made | {"facts": made["facts"] + more})), "changed", Table)
    assert table.columns == ("layer", "RTE, tiny-rte", "RTE, tiny-rte-2")


def test_a_head_page_says_what_disabling_and_fine_tuning_do_to_this_head(made, atlas):
    effects, studies = Effects(atlas), HeadStudies(atlas)
    for layer, head in PLACES:
        parts = []
        for task in CORPUS:
            row = one(made["head_facts"], corpus=task, study="disabling", name="uniform", layer=layer, head=head)
            parts.append(f"{name_of(task)} by {points(row)} ({between(row, 100)}, n {row['n']:,})")
        cosine = one(made["head_facts"], corpus="rte", name="cosine", layer=layer, head=head)
        text = (
            f"Made uniform, it changes scores, in points: {', '.join(parts)}; fine-tuning leaves its maps at cosine "
            f"{alone(cosine)} ({between(cosine)}, n 50) on RTE."
        )
        assert effects.of_head(layer, head) == text
        assert studies.believed(layer, head).endswith(f"classes. {text}")
        assert len(text) < 500


def test_a_head_page_says_nothing_where_nothing_was_tried(made, tmp_path):
    without = [row for row in made["head_facts"] if row["study"] != "disabling"]
    assert Effects(atlas_of(tmp_path / "a", {})).of_head(1, 1) == ""
    assert HeadStudies(atlas_of(tmp_path / "b", {})).believed(1, 1).endswith("classes.")
    found = Effects(atlas_of(tmp_path / "c", made | {"head_facts": without})).of_head(1, 1)
    assert found.startswith("Fine-tuning leaves its maps at cosine ")


# The page


def test_lead_has_the_main_numbers(made, page):
    gains = []
    for task in CORPUS:
        before, after = (one(made["facts"], corpus=task, name=f"{metrics_of(task)[0]}.{how}") for how in STARTS[::2])
        gains.append(f"{name_of(task)} from {number(before['value'])} to {number(after['value'])}")
    needed = []
    for task in CORPUS:
        said = [slow_verdict(made, task, "uniform", layer=layer, head=head) for layer, head in PLACES]
        needed.append(f"{name_of(task)} {said.count(NEEDED)}")
    assert f"{', '.join(gains)}. " in page.lead
    assert page.lead.endswith(f"Heads of 10 that are needed, each disabled alone: {', '.join(needed)}.")


ANCHORS = {
    "scores": ["fine-tuning"],
    OTHER: ["changed"],
    "disabling": ["disabling", *(f"disabled-{at}" for at in (1, 2, 3, 4)), "importance"],
    "pruning": ["pruning"],
}
"""Study -> what of the page rests on it alone."""


@pytest.mark.parametrize("gone", ANCHORS)
def test_a_section_is_absent_where_its_study_has_no_rows(made, tmp_path, gone):
    less = atlas_of(tmp_path, {name: [row for row in rows if row["study"] != gone] for name, rows in made.items()})
    assert there(less)
    assert set(found_anchors(tasks_page(less))) == {
        anchor for study, own in ANCHORS.items() for anchor in own if study != gone
    }


@pytest.mark.parametrize("alone", ANCHORS)
def test_one_study_is_enough_for_a_page(made, tmp_path, alone):
    less = atlas_of(tmp_path, {name: [row for row in rows if row["study"] == alone] for name, rows in made.items()})
    assert there(less)
    context = tasks_page(less)
    assert context.lead
    assert found_anchors(context) == ANCHORS[alone]


def test_model_without_tasks_has_no_page(made, tmp_path):
    assert not there(atlas_of(tmp_path / "a", {}))
    other = {name: [row for row in rows if row["corpus"] == "texts"] for name, rows in made.items()}
    assert not there(atlas_of(tmp_path / "b", other))


def test_sweep_without_simultaneous_intervals_judges_no_head(made, tmp_path):
    plain = {name: [row for row in rows if not row["name"].endswith(".family")] for name, rows in made.items()}
    context = tasks_page(atlas_of(tmp_path, plain))
    assert "needed" not in context.lead
    for anchor, _ in swept():
        assert not tables(context, "Heads that change", anchor)
        assert all("one at a time" not in text for text in prose(context, anchor))
        figure = block(context, anchor, Figure)
        assert {verdict for view in views(figure) for verdict in view["columns"]["verdict"]} == {""}


def test_order_of_rows_changes_nothing(made, page, tmp_path):
    assert tasks_page(atlas_of(tmp_path, made, seed=7)) == page


NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d+(?![\w.])")


def test_every_number_on_the_page_is_of_the_tables(made, page, html):
    """What is derived - gains, correlations - is compared one by one above."""
    known = {"0.001"}  # "<0.001"
    for rows in made.values():
        for row in rows:
            for factor in (1, 100):
                value, low, high = (factor * row[field] for field in ("value", "low", "high"))
                known |= {number(value), number(value, low, high), *interval(low, high).split(" to ")}
    groups = [
        group
        for path in ("kovaleva", "others")
        for group in tomllib.loads((DATA / "published" / f"{path}.toml").read_text())["group"]
    ]
    for group in groups:
        known |= {number(value / 100) for value in leaves(group.get("values", {}))}
    derived = {text for row in scores_in(page) for text in NUMBER.findall(seen(row[5]))}
    derived |= {text for row in block(page, "importance", Table).rows for text in NUMBER.findall(seen(row[2]))}
    prose = {"4.3", "4.6"}
    document = Document(html)
    tags = ("td", "th", "p", "figcaption")
    shown = {text for tag in tags for one in document.find(tag) for text in NUMBER.findall(one.text)}
    assert len(shown) > 400
    assert shown - known - derived - prose == set()


def leaves(values: Any) -> Iterator[float]:
    """All numbers, at any depth."""
    for value in values.values():
        if isinstance(value, dict):
            yield from leaves(value)
        else:
            yield float(value)


def test_the_page_keeps_what_every_page_promises(page, html):
    assert (len(every(page, Figure)), len(every(page, Table))) == (2 + len(CORPUS), 4 + 2 * len(CORPUS))
    check_charts(page)
    check_html(page, html)


def views(figure: Figure) -> list[dict[str, Any]]:
    """The data of a figure."""
    return json.loads(figure.data)["views"]


def test_every_caption_says_what_was_read_and_how_sure_it_is(page):
    for figure in every(page, Figure):
        assert "95 % interval" in figure.caption
        assert "dev examples" in figure.caption
    assert all(f"{EXAMPLES[task]:,} dev" in block(page, anchor, Figure).caption for anchor, task in swept())


def test_every_link_leads_somewhere(page, html, atlas):
    heads = {addresses.head(atlas.slug, *place) for place in PLACES}
    known = heads | {addresses.MODELS, addresses.model(atlas.slug)} | {addresses.claim(claim.id) for claim in CLAIMS}
    by_hand = {addresses.GLOSSARY: anchors("glossary.md"), addresses.REFERENCES: anchors("references.md")}
    links = [link for _, link in Document(html).references()]
    for figure in every(page, Figure):
        links += json.loads(figure.data)["shared"].get("href", ())
        links += [view.href for view in figure.views if view.href]
    for link in links:
        target = urljoin("http://here/" + addresses.tasks(atlas.slug), link).removeprefix("http://here/")
        address, _, anchor = target.partition("#")
        assert address in known or anchor in by_hand.get(address, ()), link
    claims = block(page, "", Items).lines
    assert [link.text.partition(":")[0] for link in claims] == ["K06", "K07", "K08", "K15", "K16", "R02"]


def test_hostile_names_stay_text(html):
    document = Document(html)
    assert not [one for one in document.elements if one.tag in ("img", "script", "b", "svg")]
    assert all(not set("<>&") & set(template.text) for template in document.find("template"))
    assert HOSTILE in [one.text for one in document.find("bdi")]


def test_undefined_changes_are_dashes_and_no_squares(made, tmp_path):
    nothing = dict.fromkeys(("value", "low", "high"), np.nan)
    rows = [row | nothing if row["study"] == "disabling" else row for row in made["head_facts"]]
    context = tasks_page(atlas_of(tmp_path, made | {"head_facts": rows}))
    for view in views(block(context, "disabled-1", Figure)):
        assert set(view["columns"]["value"]) == {None}
        assert set(view["columns"]["size"]) == {0}
    assert {row[2].text for row in block(context, "importance", Table).rows} == {"-"}
    assert not re.search(r"\bnan\b", Renderer(TEMPLATES).render("page.html", context))


def test_page_lives_below_its_model():
    assert addresses.tasks("tiny") == "models/tiny/tasks/"
