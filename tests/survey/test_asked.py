"""Inputs that studies ask for: each is read once, with the text, and shows what it shows by itself."""

from collections import Counter

import numpy as np
import pytest
import torch

from generator.attention.anatomy import examine
from generator.attention.stream import Options, observe
from generator.errors import TooLongError
from generator.studies.gathered import Gathered, asking
from generator.studies.procedure import Asked, Watcher
from generator.survey.passes import pass_over_text, tokens_of_text
from generator.topics.inputs.compute.changed import dropped, with_segments
from generator.topics.inputs.compute.manipulations import Comparison
from tests.attention.observations import inputs_of, scarce
from tests.encoders import loaded, write

TOLERANCE = {"rtol": 1e-4, "atol": 1e-5}


def first_key(item):
    """An observer that adds up the weight on the first token, `[head]`."""
    return lambda weights, _first: weights[:, :, 0].sum(1, dtype=float)


class Study:
    """Asks for the first three inputs as they are, for two changed versions beside each, and for one by itself."""

    def __init__(self, inputs):
        self.bases = inputs[1:4]
        self.comparisons = {item.document: Comparison(item) for item in self.bases}
        asked = []
        for item in self.bases:
            looks = (self.comparisons[item.document].observer, first_key)
            asked.append(Asked("base", item, looks, measured=True))
            for name, ids in (("zero", 0), ("ones", 1)):
                changed = with_segments(item, [ids] * len(item))
                asked.append(Asked(name, changed, looks, measured=True, beside=item))
            asked.append(Asked("dropped", dropped(item, np.random.default_rng(0)), (first_key,)))
        self.gathered = Gathered(asked, self.take)

    def take(self, one, seen):
        apart = seen.of(self.comparisons[one.input.document].observer)[..., 0] if one.name != "dropped" else None
        return one.input, seen.of(first_key), apart, seen.primitives


def shown(encoder, anatomy, inputs, gathered, options=None, lanes=1):
    """Read a text; returns `(place, tokens)` of every input that an ordinary watcher was shown, in order."""
    seen = []
    watchers = [
        Watcher(lambda one: seen.append((one.input, one.primitives)), dict),
        *(asking(dict, one) for one in gathered),
    ]
    readings = pass_over_text(encoder, anatomy, inputs, options or Options(), 0, lanes, watchers)
    for reading in readings.by_model:
        reading()
    return seen


def counting(encoder, counts):
    """Counts how often the model reads each sequence of tokens and segment ids."""

    def count(_module, _arguments, given):
        segments = given.get("token_type_ids", torch.zeros_like(given["input_ids"]))
        for ids, real, some in zip(given["input_ids"], given["attention_mask"].bool(), segments, strict=True):
            counts[tuple(ids[real].tolist()), tuple(some[real].tolist())] += 1

    return encoder.model.register_forward_pre_hook(count, with_kwargs=True)


@pytest.mark.parametrize("lanes", [1, 2])
def test_everything_is_read_once_whoever_asks(encoder, anatomy, lanes):
    one, same, inputs = encoder("bert"), anatomy("bert"), inputs_of(encoder("bert"))
    studies, counts = [Study(inputs), Study(inputs)], Counter()
    with counting(one, counts):
        seen = shown(one, same, inputs, [study.gathered for study in studies], lanes=lanes)
    assert sorted(item.place for item, _ in seen) == sorted(item.place for item in inputs)
    asked = {(item.input_ids, item.segment_ids) for item in (each.input for each in studies[0].gathered.asked)}
    every = asked | {(item.input_ids, item.segment_ids) for item in inputs}
    assert set(counts) == every
    assert set(counts.values()) == {1}
    watchers = [asking(dict, study.gathered) for study in studies]
    assert tokens_of_text(inputs, watchers) == sum(len(ids) * times for (ids, _), times in counts.items())
    for study in studies:
        assert [*study.gathered.by_document()] == sorted(item.document for item in study.bases)


@pytest.mark.parametrize("family", ["bert", "roberta", "t5", "mpnet"])
@pytest.mark.parametrize("lanes", [1, 2])
def test_what_is_shown_is_what_each_shows_by_itself(encoder, anatomy, family, lanes):
    inputs = inputs_of(encoder(family))
    study = Study(inputs)
    seen = dict(shown(encoder(family), anatomy(family), inputs, [study.gathered], lanes=lanes))
    assert len(seen) == len(inputs)
    for item, primitives in seen.items():
        (alone,) = observe(encoder(family), anatomy(family), [item])
        np.testing.assert_allclose(primitives.received, alone.primitives.received, **TOLERANCE)
    for found in study.gathered.by_document().values():
        (base,) = observe(encoder(family), anatomy(family), [found["base"][0]], Options(keep_weights=True))
        for name, (item, on_first, apart, primitives) in found.items():
            (alone,) = observe(encoder(family), anatomy(family), [item], Options(keep_weights=True))
            np.testing.assert_allclose(on_first, alone.weights[..., 0].sum(-1), **TOLERANCE)
            if name == "dropped":
                assert not primitives.received.size, "nobody asked to measure it"
                continue
            np.testing.assert_allclose(primitives.received, alone.primitives.received, **TOLERANCE)
            middle = (alone.weights + base.weights) / 2
            divergence = sum(
                (w * np.log(np.maximum(w, 1e-30) / np.maximum(middle, 1e-30))).sum((-2, -1)) / 2
                for w in (alone.weights, base.weights)
            )
            np.testing.assert_allclose(apart, divergence, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("options", [Options(smoothing=0.1), Options(segments=False)])
def test_a_pass_that_reads_otherwise_serves_no_study(encoder, anatomy, options):
    """What is asked for has its own segment ids and is not smoothed, whatever is asked of the pass."""
    one, inputs = encoder("bert"), inputs_of(encoder("bert"))
    study, plain = Study(inputs), Study(inputs)
    seen = dict(shown(one, anatomy("bert"), inputs, [study.gathered], options))
    assert len(seen) == len(inputs)
    for item, primitives in seen.items():
        (alone,) = observe(one, anatomy("bert"), [item], options)
        np.testing.assert_allclose(primitives.row_entropy, alone.primitives.row_entropy, **TOLERANCE)
    shown(one, anatomy("bert"), inputs, [plain.gathered])
    for document, found in study.gathered.by_document().items():
        for name, (_, on_first, _, primitives) in found.items():
            expected = plain.gathered.by_document()[document][name]
            np.testing.assert_allclose(on_first, expected[1], **TOLERANCE)
            np.testing.assert_allclose(primitives.row_entropy, expected[3].row_entropy, **TOLERANCE)


def test_a_long_input_is_read_again_for_every_batch_of_changes(encoder, anatomy, monkeypatch):
    monkeypatch.setattr("generator.attention.portions.ON_CPU", 8)
    monkeypatch.setattr("generator.survey.asked.FEWEST_BESIDE", 1)
    one, inputs = encoder("bert"), inputs_of(encoder("bert"))
    study, counts = Study(inputs), Counter()
    with counting(one, counts):
        seen = shown(one, anatomy("bert"), inputs, [study.gathered])
    assert len(seen) == len(inputs)
    bases = {(item.input_ids, item.segment_ids) for item in study.bases}
    assert {key: times for key, times in counts.items() if times > 1} == dict.fromkeys(bases, 2)
    whole = Study(inputs)
    monkeypatch.undo()
    shown(one, anatomy("bert"), inputs, [whole.gathered])
    for document, found in study.gathered.by_document().items():
        for name in ("zero", "ones"):
            np.testing.assert_allclose(found[name][2], whole.gathered.by_document()[document][name][2], **TOLERANCE)


def test_a_text_is_read_where_memory_does_not_suffice_for_changes(tmp_path):
    """The study that asked has no tables; all others have theirs."""
    one = loaded(write("bert", tmp_path))
    inputs = inputs_of(one)
    study, said = Study(inputs), []
    longest = max(map(len, study.bases))
    options, same = Options(say=said.append), examine(one)
    few = [item for item in inputs if len(item) <= longest]
    with scarce(one, longest):
        seen = shown(one, same, few, [study.gathered], options)
    assert sorted(item.place for item, _ in seen) == sorted(item.place for item in few)
    assert said
    with pytest.raises(TooLongError, match="lower --max-tokens"):
        study.gathered.by_document()
