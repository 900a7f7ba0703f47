"""Tables of scores on hand-written pages: the numbers that are stored, of the models that have them."""

from html import unescape

import pytest

from generator.errors import SiteError
from generator.numbers.number import Number
from generator.numbers.writing import number, written
from generator.pages.heads.atlas import Atlas
from generator.topics.learning.page.written import paid
from generator.topics.tasks.page.written import NONE, SCORELESS, WAYS, scored
from tests.pages.written.contexts import context
from tests.topics.learning.page.courses import TASK, Course
from tests.topics.tasks.page.conftest import Maker
from tests.topics.tasks.page.tried import EXAMPLES, HOSTILE, atlas_of, metrics_of


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Gives a model with scores on two tasks, a regression, and a task that is in no list."""
    maker = Maker()
    for task, n in EXAMPLES.items():
        maker.scores(task, n)
    return atlas_of(tmp_path_factory.mktemp("tried"), maker.tables)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Gives a model with a learning curve and no scores."""
    return Course().everything(("entropy.all",)).store(tmp_path_factory.mktemp("trained"))


def cells(table: str) -> list[list[str]]:
    """The cells of a table as a reader sees them."""
    return [[unescape(cell.strip()) for cell in line.strip("|").split("|")] for line in table.splitlines()]


@pytest.mark.parametrize("how", WAYS)
def test_rows_have_the_headline_scores_that_are_stored(how: str, tried: Atlas, trained: Atlas) -> None:
    head, _, row, *common = cells(scored(context(trained, tried), how))
    facts = tried.results.table("facts")

    def stored(task: str, way: str) -> str:
        (one,) = facts[(facts["corpus"] == task) & (facts["name"] == f"{metrics_of(task)[0]}.{way}")].to_dict("records")
        return NONE if one["value"] != one["value"] else written(Number.of(one))

    tasks = [task for task in EXAMPLES if task != HOSTILE]
    assert sorted(head[1:]) == sorted(["RTE, accuracy", "MRPC, accuracy", "STS-B, Spearman's correlation"])
    names = {"RTE": "rte", "MRPC": "mrpc", "STS-B": "stsb"}
    order = [names[one.partition(",")[0]] for one in head[1:]]
    assert sorted(order) == sorted(tasks)
    assert row[1:] == [stored(task, WAYS[how]) for task in order]
    assert common == (
        [["always the commonest answer", *(stored(task, "majority") for task in order)]] if how == "frozen" else []
    )


def test_the_ends_of_a_training_are_its_first_and_last_checkpoint(tried: Atlas, trained: Atlas) -> None:
    _, _, (_, task, examples, first, last) = cells(paid(context(tried, trained)))
    rows = trained.results.table("curves").query(f"study == 'tuning' and name == '{TASK}.accuracy'")
    ends = [rows.loc[rows["step"].idxmin()], rows.loc[rows["step"].idxmax()]]
    assert (task.lower(), examples) == (TASK, "all")
    assert [first, last] == [f"step {number(end['step'])}: {written(Number.of(end))}" for end in ends]


def test_without_scores_a_sentence_says_so_and_another_way_is_refused(tried: Atlas, trained: Atlas) -> None:
    assert scored(context(trained), "frozen") == paid(context(tried)) == SCORELESS
    with pytest.raises(SiteError, match=r"Expected fine-tuned or frozen in scored\(\.\.\.\), found 'random'"):
        scored(context(tried), "random")
