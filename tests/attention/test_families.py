"""Every family, observed in padded batches, shows what a plain eager forward pass of each input alone shows."""

from functools import cache

import numpy as np
import pytest

from generator.attention.stream import Options, observe
from generator.corpora.classes import TokenClass
from generator.measures import OF_COLUMN
from tests import slow
from tests.attention.observations import columns_of, inputs_of
from tests.attention.reference import plain_model, reference
from tests.encoders import FAMILIES, WITHOUT_BEGIN

FLOAT32 = {"share": 5e-6, "nats": 1e-5}
"""What a float32 forward pass in a padded batch and one of an input alone may differ by."""

families = pytest.mark.parametrize("family", FAMILIES)


@pytest.fixture(scope="module")
def observed(checkpoint, encoder, anatomy):
    """Gives, per input of a family: what was observed, the plain reference, and the tokens as worked out anew."""

    def cases(family):
        loaded = encoder(family)
        found = []
        for seen in observe(loaded, anatomy(family), inputs_of(loaded), Options(keep_weights=True)):
            text = slow.text_of(loaded.tokenizer, seen.input.input_ids, begins=family not in WITHOUT_BEGIN)
            found.append((seen, reference(checkpoint(family), seen.input.input_ids, text.segment), text))
        return found

    return cache(cases)


@families
def test_the_reference_heads_are_far_from_uniform_so_that_a_comparison_means_something(observed, family):
    seen, plain, _ = observed(family)[0]
    rows = plain.maps.reshape(-1, plain.maps.shape[-1]).tolist()
    assert np.mean([slow.entropy(row) for row in rows]) < 0.9 * np.log(len(seen.input))


@families
def test_kept_weights_equal_eager_maps(observed, family):
    for seen, plain, _ in observed(family):
        np.testing.assert_allclose(seen.weights, plain.maps, rtol=0, atol=2e-5)


@families
def test_classes_and_segments_equal_those_worked_out_from_the_tokenizer(observed, family):
    for seen, _, text in observed(family):
        of_class = {kind: {at for at, found in enumerate(seen.input.classes) if found == kind} for kind in TokenClass}
        assert of_class[TokenClass.BEGIN] == text.begin
        assert of_class[TokenClass.SEPARATOR] == text.separators
        assert of_class[TokenClass.PUNCTUATION] == text.punctuation
        assert of_class[TokenClass.OTHER] == text.others
        assert seen.input.segment_ids == text.segment


@families
def test_every_column_equals_a_slow_derivation_from_eager_maps(observed, family):
    for seen, plain, text in observed(family)[::2]:
        expected = slow.columns(plain.maps, text, plain.vectors)
        gaps = slow.difference(columns_of(seen), expected)
        far = {name: gap for name, gap in gaps.items() if gap > FLOAT32[OF_COLUMN[name].unit]}
        assert not far, f"{seen.input.document}, {len(seen.input)} tokens"


@families
def test_the_sink_is_the_position_that_receives_most_in_the_eager_map(observed, family):
    for seen, plain, _ in observed(family):
        received = plain.maps.astype(np.float64).sum(2)
        position = seen.primitives.sink_position.astype(int)
        at_position = np.take_along_axis(received, position[..., None], -1)[..., 0]
        np.testing.assert_allclose(at_position, received.max(-1), rtol=1e-5)


def test_a_window_smaller_than_the_input_hides_distant_tokens_in_local_layers_only(observed):
    seen, _, _ = observed("modernbert")[0]
    columns = columns_of(seen)
    beyond = columns["offset.before"] + columns["offset.after"]
    assert (beyond[0] > 0.01).all()
    np.testing.assert_allclose(beyond[1:], 0, atol=FLOAT32["share"])
    assert (columns["offset.4"][1:] > 0).all()
    assert (columns["offset.5"][1:] == 0).all()


def test_one_shared_module_called_repeatedly_still_counts_as_several_layers(observed, checkpoint):
    assert len(plain_model(checkpoint("albert")).encoder.albert_layer_groups) == 1
    seen, _, _ = observed("albert")[0]
    assert np.abs(np.diff(seen.weights, axis=0)).max() > 0.01
