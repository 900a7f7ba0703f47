"""Two pieces of work at a time: what waits for what, what a failure ends, and the same digits as one at a time."""

import sys
from contextlib import contextmanager
from dataclasses import replace
from threading import Barrier, Event, get_ident
from time import sleep

import pandas as pd
import pytest
import torch
from threadpoolctl import threadpool_info, threadpool_limits

from generator.attention.anatomy import examine
from generator.attention.portions import in_portions, portions
from generator.attention.stream import Options
from generator.config import Analysis
from generator.corpora import files
from generator.corpora.kind import Corpora, Corpus
from generator.corpora.opening import open_corpora
from generator.models.masked_lm import load_masked_lm
from generator.models.source import locate
from generator.models.threads import LONGEST, beside, hooked, lanes_for
from generator.models.twin import random_twin
from generator.studies.all import PROCEDURES
from generator.studies.procedure import Watcher
from generator.survey.engine import Surveyor
from generator.survey.lanes import SWITCH, in_lanes, longest_first
from generator.survey.passes import pass_over_text
from tests.attention.masked_lm import write_masked_lm
from tests.attention.observations import DOCUMENTS, inputs_of
from tests.reports import Telling

CPU = torch.device("cpu")
PATIENCE = 60
"""Seconds that a piece of work waits for another one; it takes less than one."""


@contextmanager
def threads(number):
    before = torch.get_num_threads()
    torch.set_num_threads(number)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def of_numpy():
    """With how many threads NumPy and SciPy multiply matrices."""
    return {one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"}


@pytest.mark.parametrize(("lanes", "number"), [(1, 2), (2, 2), (2, 4)])
def test_work_is_done_once_after_what_it_waits_for_and_is_forgotten(lanes, number):
    done, told = [], []

    def piece(name):
        def run(advance):
            assert set(after[name]) & set(work_names) <= set(done)
            done.append(name)
            advance(1)

        return run

    after = {"a": [], "b": [], "c": ["a"], "d": ["c", "b"], "e": ["not there"]}
    work_names = list(after)
    work = {name: piece(name) for name in work_names}
    with threads(number):
        in_lanes(work, after, lanes, told.append)
        assert torch.get_num_threads() == number
    assert sorted(done) == work_names
    assert told == [1] * len(after)
    assert not work
    if lanes == 1:
        assert done == work_names


def test_two_pieces_run_at_a_time_each_with_half_of_the_threads():
    meeting, seen = Barrier(2), {}

    def run(_advance):
        meeting.wait(PATIENCE)
        seen[get_ident()] = torch.get_num_threads(), *of_numpy()

    with threads(4), threadpool_limits(4, "blas"):
        in_lanes({"a": run, "b": run}, {}, 2, lambda _: None)
        assert of_numpy() == {4}
    assert list(seen.values()) == [(2, 2), (2, 2)]
    assert get_ident() not in seen


def test_a_failure_ends_the_others_when_they_next_tell_and_begins_nothing():
    began, ended = Event(), []

    def fail(_advance):
        assert began.wait(PATIENCE)
        raise ValueError("no")

    def go_on(advance):
        began.set()
        try:
            for _ in range(10**9):
                advance(1)
        finally:
            ended.append("go on")

    work = {"fail": fail, "go on": go_on, "later": lambda _: ended.append("later"), "last": fail}
    with threads(2), pytest.raises(ValueError, match="no"):
        in_lanes(work, {"later": ["fail"]}, 2, lambda _: None)
    assert ended == ["go on"]


@pytest.mark.parametrize(
    ("number", "longest", "dtype", "lanes"),
    [
        (1, 128, torch.float32, 1),
        (2, 128, torch.float32, 2),
        (2, LONGEST, torch.float32, 2),
        (2, LONGEST + 1, torch.float32, 1),
        (2, 128, torch.bfloat16, 1),
        (2, 128, "float32", 2),  # as transformers leaves it when a model is saved
        (2, 128, "bfloat16", 1),
        (2, 128, None, 2),
    ],
)
def test_there_are_two_lanes_for_short_inputs_whole_precision_and_two_threads(
    encoder, monkeypatch, number, longest, dtype, lanes
):
    one = encoder("bert")
    monkeypatch.setattr(one.model.config, "dtype", dtype)
    with threads(number):
        assert lanes_for(one, longest) == lanes
        assert lanes_for(replace(one, device=torch.device("cuda")), longest) == lanes
        assert lanes_for(replace(one, device=torch.device("cuda"), precision="tf32"), longest) == 1
        assert lanes_for(replace(one, device=torch.device("mps")), longest) == 1


@pytest.mark.parametrize(("device", "before", "during"), [("cpu", 16, 16), ("cuda", 16, 4), ("cuda", 2, 2)])
def test_beside_a_gpu_the_cpu_computes_with_few_threads(device, before, during):
    with threads(before), threadpool_limits(before, "blas"):
        with beside(torch.device(device)):
            assert torch.get_num_threads() == during
            assert of_numpy() == {during}
        assert torch.get_num_threads() == before
        assert of_numpy() == {before}


def test_twins_drawn_beside_each_other_are_those_drawn_alone(encoder):
    """Several of them, so that without a lock some two would draw at the same moment."""
    draws = {str(draw): draw for draw in range(12)}
    alone, beside = ({}, {})

    def drawing(into, name):
        return lambda _: into.update({name: random_twin(encoder("bert"), 3, draws[name]).model.state_dict()})

    encoder("bert")
    with threads(2):
        for lanes, into in ((1, alone), (2, beside)):
            in_lanes({name: drawing(into, name) for name in draws}, {}, lanes, lambda _: None)
    for name, weights in alone.items():
        assert all(torch.equal(weight, beside[name][key]) for key, weight in weights.items())


def test_a_hook_sees_only_what_its_own_thread_runs(encoder):
    """Both threads run the model while both hooks are set."""
    one, meeting, seen = encoder("bert"), Barrier(2), {"a": [], "b": []}
    ids = {"a": 7, "b": 9}

    def piece(name):
        def run(_advance):
            embeddings = one.model.get_input_embeddings()
            with hooked(embeddings.register_forward_hook, lambda _m, given, _o: seen[name].append(given[0].tolist())):
                meeting.wait(PATIENCE)
                with torch.inference_mode():
                    embeddings(torch.tensor([ids[name]]))
                meeting.wait(PATIENCE)

        return run

    with threads(2):
        in_lanes({name: piece(name) for name in ids}, {}, 2, lambda _: None)
    assert seen == {"a": [[7]], "b": [[9]]}


def test_what_is_seen_is_added_by_one_thread_at_a_time_unless_a_watcher_is_made_for_several(encoder, anatomy):
    meeting, inside, most = Barrier(2), [], []

    def alone(seen):
        inside.append(seen)
        most.append(len(inside))
        sleep(0.01)  # so that the other thread would come in
        inside.pop()

    def together(_seen):
        meeting.wait(PATIENCE)

    inputs = inputs_of(encoder("bert"), [*DOCUMENTS, *DOCUMENTS])[:2]
    watchers = [Watcher(alone, dict), Watcher(together, dict, threaded=True)]
    given = encoder("bert"), anatomy("bert"), inputs, Options(batch_tokens=1), 0, 2, watchers
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("generator.survey.asked.portions", lambda _encoder, some, _pads: [[one] for one in some])
        readings = pass_over_text(*given)
    with threads(2):
        in_lanes({str(at): lambda _, one=one: one() for at, one in enumerate(readings.by_model)}, {}, 2, lambda _: None)
    assert most == [1, 1]


def test_portions_are_those_in_which_all_is_read(encoder, anatomy):
    """Texts of one length, and of several; read alone, each is one portion again."""
    loaded = encoder("bert")
    inputs = inputs_of(loaded) * 40
    for padded in (True, False):
        batches = list(in_portions(loaded, inputs, lambda some: [list(some)], padded=padded))
        assert portions(loaded, inputs, padded) == batches
        assert len(batches) > 1
        for batch in batches:
            assert list(in_portions(loaded, batch, lambda some: [list(some)], padded=padded)) == [batch]


@pytest.fixture(scope="module")
def tables(encoder, tmp_path_factory):
    """Number of threads -> the tables of a model with a masked-LM head, of text and of a treebank."""
    (bank,) = open_corpora(["treebank"], sample=12).all
    corpora = Corpora((Corpus("texts", files.TEXT, "1" * 64, DOCUMENTS, "en"), bank))
    source = locate(str(write_masked_lm("bert", tmp_path_factory.mktemp("masked-lm") / "bert")))
    masked_lm = load_masked_lm(source, CPU)
    found = {}
    for number in (1, 2):
        one = encoder("bert")
        with threads(number), pytest.MonkeyPatch.context() as patch:
            patch.setattr("generator.attention.portions.ON_CPU", 150)  # so that there are several batches
            surveyor = Surveyor(one, examine(one), Analysis(max_tokens=64), Telling(), masked_lm)
            found[number] = surveyor.survey(corpora, PROCEDURES).tables
    return found


def test_an_analysis_with_two_lanes_gives_the_same_digits(tables):
    assert set(tables[1]) == set(tables[2])
    for name, table in tables[1].items():
        other = tables[2][name]
        assert len(table) == len(other)
        for study in dict.fromkeys(table.get("study", [""])):
            one, two = (rows if not study else rows[rows["study"] == study] for rows in (table, other))
            pd.testing.assert_frame_equal(one, two, check_exact=True, obj=f"{name} of study {study!r}")


def test_a_piece_that_becomes_ready_goes_before_later_ones_that_were_ready_all_the_time():
    began, going, alone = [], Event(), sys.getswitchinterval()

    def piece(name):
        def run(_advance):
            began.append(name)
            assert sys.getswitchinterval() == pytest.approx(SWITCH)
            if name == "long":
                assert going.wait(PATIENCE)
            elif name == "follows":
                going.set()

        return run

    names = ["first", "long", "follows", "could wait"]
    with threads(2):
        in_lanes({name: piece(name) for name in names}, {"follows": ["first"]}, 2, lambda _: None)
    assert began.index("follows") < began.index("could wait")
    assert sys.getswitchinterval() == alone


def test_the_longest_line_of_work_comes_first_and_nothing_before_what_it_waits_for():
    after = {"table": ["pass", "not there"], "last": ["table"], "twins": ["draw"]}
    sizes = {"last": 5, "twins": 1, "again": 8, "table": 1, "draw": 6, "pass": 2}
    assert longest_first(sizes, after) == ["again", "pass", "draw", "table", "last", "twins"]
    assert longest_first(sizes | {"draw": 8}, after)[:2] == ["draw", "again"]
