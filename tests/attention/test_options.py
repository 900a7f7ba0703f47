"""What a user may choose: smoothed entropies, segment ids that are fed as zeros."""

from dataclasses import replace

import numpy as np
import pytest

from generator.attention.stream import Options, observe
from generator.measures import OF_COLUMN
from tests import slow
from tests.attention.observations import columns_of, inputs_of, survey
from tests.attention.reference import reference
from tests.encoders import FAMILIES, LAYERS
from tests.measures.maps import with_entropies

CLARK = 1e-4


@pytest.mark.parametrize("family", ["bert", "modernbert", "mpnet"])
@pytest.mark.parametrize("share", [CLARK, 0.1])
@pytest.mark.parametrize("whole", [False, True], ids=["one document at a time", "whole batch"])
def test_smoothed_entropies_equal_the_formula_of_the_released_notebook(encoder, anatomy, family, share, whole):
    loaded = encoder(family)
    options = Options(smoothing=share, keep_weights=True, whole_batch=whole)
    for seen in observe(loaded, anatomy(family), inputs_of(loaded)[:3], options):
        text = slow.text_of(loaded.tokenizer, seen.input.input_ids, begins=True)
        expected = slow.columns(slow.smoothed(seen.weights, share), text)
        for name in (one for one in expected if with_entropies()[one]):
            np.testing.assert_allclose(columns_of(seen)[name], expected[name], rtol=0, atol=2e-6)


@pytest.mark.parametrize("family", ["bert", "mpnet"])
def test_smoothing_moves_what_is_made_of_entropies_as_their_rise_does_and_nothing_else(encoder, anatomy, family):
    inputs = inputs_of(encoder(family))
    plain = survey(encoder(family), anatomy(family), inputs)
    smooth = survey(encoder(family), anatomy(family), inputs, Options(smoothing=CLARK))
    for key, columns in plain.items():
        for name, values in columns.items():
            if way := with_entropies()[name]:
                most = OF_COLUMN[name].limits[1]
                assert ((way * smooth[key][name] > way * values) | (values == most)).all(), name
            else:
                np.testing.assert_array_equal(smooth[key][name], values, err_msg=name)


@pytest.mark.parametrize("family", ["bert", "mpnet"])
@pytest.mark.parametrize("whole", [False, True], ids=["one document at a time", "whole batch"])
def test_maps_are_the_same_where_nothing_is_measured(encoder, anatomy, family, whole):
    loaded = encoder(family)
    options = Options(keep_weights=True, whole_batch=whole)
    plain, unmeasured = (
        list(observe(loaded, anatomy(family), inputs_of(loaded)[:3], replace(options, measured=one)))
        for one in (True, False)
    )
    for one, other in zip(plain, unmeasured, strict=True):
        np.testing.assert_allclose(other.weights, one.weights, rtol=0, atol=1e-6)
        assert other.primitives.received.size == 0
        assert one.primitives.received.size > 0


@pytest.mark.parametrize("whole", [False, True], ids=["one document at a time", "whole batch"])
def test_the_entropy_of_every_row_is_told_and_smoothed_as_asked(encoder, anatomy, whole):
    loaded = encoder("bert")
    options = Options(smoothing=0.1, keep_weights=True, whole_batch=whole)
    for seen in observe(loaded, anatomy("bert"), inputs_of(loaded), options):
        rows = slow.smoothed(seen.weights, 0.1)
        expected = [[[slow.entropy(row) for row in head] for head in layer] for layer in rows]
        np.testing.assert_allclose(seen.primitives.row_entropy, expected, rtol=0, atol=2e-6)


@pytest.mark.parametrize(
    ("options", "layers"),
    [
        (Options(keep_weights=True, measured=False, to_the_end=False), LAYERS - 1),
        (Options(to_the_end=False), LAYERS - 1),
        (Options(to_the_end=False, keep_states=True), LAYERS),
        (Options(), LAYERS),
    ],
)
def test_where_maps_alone_are_asked_for_the_last_layer_ends_with_its_attention(encoder, anatomy, options, layers):
    loaded, run = encoder("bert"), []
    found = anatomy("bert")
    above = [layer.intermediate for layer in loaded.model.encoder.layer]
    hooks = [module.register_forward_hook(lambda module, *_: run.append(module)) for module in above]
    list(observe(loaded, found, inputs_of(loaded)[:1], options))
    for hook in hooks:
        hook.remove()
    assert run == above[:layers]


def test_what_is_measured_is_the_same_if_the_last_layer_ends_with_its_attention(encoder, anatomy):
    loaded = encoder("bert")
    given = loaded, anatomy("bert"), inputs_of(loaded)
    whole, ended = (survey(*given, Options(to_the_end=to_the_end)) for to_the_end in (True, False))
    for key, columns in whole.items():
        for name, values in columns.items():
            np.testing.assert_array_equal(ended[key][name], values, err_msg=name)


@pytest.mark.parametrize("family", ["bert", "electra", "albert"])
@pytest.mark.parametrize("fed", [True, False], ids=["zeros and ones", "zeros only"])
def test_the_segment_ids_that_are_fed_are_the_ones_asked_for(checkpoint, encoder, anatomy, family, fed):
    loaded = encoder(family)
    seen = next(iter(observe(loaded, anatomy(family), inputs_of(loaded), Options(segments=fed, keep_weights=True))))
    ids = seen.input.input_ids
    real = slow.text_of(loaded.tokenizer, ids, begins=True).segment
    assert set(real) == {0, 1}
    with_real, with_zeros = (reference(checkpoint(family), ids, segment).maps for segment in (real, [0] * len(ids)))
    asked, other = (with_real, with_zeros) if fed else (with_zeros, with_real)
    np.testing.assert_allclose(seen.weights, asked, rtol=0, atol=2e-5)
    assert np.abs(seen.weights - other).max() > 0.01


def test_attention_within_the_segment_is_counted_by_real_segments_even_when_zeros_are_fed(encoder, anatomy):
    loaded = encoder("bert")
    for seen in observe(loaded, anatomy("bert"), inputs_of(loaded)[:3], Options(segments=False, keep_weights=True)):
        text = slow.text_of(loaded.tokenizer, seen.input.input_ids, begins=True)
        expected = slow.columns(seen.weights, text)["attention.same_segment"]
        np.testing.assert_allclose(columns_of(seen)["attention.same_segment"], expected, rtol=0, atol=2e-6)
        assert (expected < 0.99).any()


@pytest.mark.parametrize("family", sorted(set(FAMILIES) - {"bert", "electra", "albert"}))
def test_models_that_take_no_segment_ids_are_never_given_any(encoder, anatomy, family):
    loaded = encoder(family)
    assert not loaded.segments
    runs = [survey(loaded, anatomy(family), inputs_of(loaded)[:2], Options(segments=fed)) for fed in (True, False)]
    for key, columns in runs[0].items():
        for name, values in columns.items():
            np.testing.assert_array_equal(runs[1][key][name], values, err_msg=name)


def test_maps_are_kept_only_when_asked_for(encoder, anatomy):
    seen = next(iter(observe(encoder("bert"), anatomy("bert"), inputs_of(encoder("bert"))[:1])))
    assert seen.weights is None
