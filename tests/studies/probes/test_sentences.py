"""What probes learn from: gold heads, mean embeddings of pieces, and not too many sentences."""

import numpy as np
import pandas as pd
import pytest

from generator.attention.stream import Options, observe
from generator.attention.words import word_maps
from generator.corpora.pairs import PairMaker
from generator.corpora.treebank import treebank_inputs
from generator.studies.probes.data import ProbeExample
from generator.studies.probes.probes import probe_facts
from generator.studies.probes.sentences import MOST_SENTENCES, probing, sampled
from tests.studies.treebanks import NAME, bank, few

SEED = 0


@pytest.fixture(scope="module")
def learnt(encoder, anatomy):
    """Inputs and maps of every sentence."""
    inputs = treebank_inputs(bank(few()), PairMaker(encoder("bert").tokenizer, 128))
    items = [item.input for _, item in inputs.values()]
    seen = observe(encoder("bert"), anatomy("bert"), items, Options(keep_weights=True))
    return inputs, {each.input.document: word_maps(each.weights, inputs[each.input.document][1]) for each in seen}


def test_probes_learn_from_gold_heads_and_mean_embeddings_of_pieces(encoder, learnt):
    inputs, maps = learnt
    (found,) = probing(encoder("bert"), NAME, inputs, maps, maps, SEED)
    tokenizer = encoder("bert").tokenizer
    table = encoder("bert").model.embeddings.word_embeddings.weight.numpy()
    examples = []
    for name, (sentence, _) in sorted(inputs.items()):
        vectors = []
        for word in sentence.words:
            pieces = tokenizer(f" {word.form}", add_special_tokens=False)["input_ids"]
            vectors.append(sum(table[piece] for piece in pieces) / len(pieces))
        heads = np.array([word.head for word in sentence.words])
        scored = np.array([word.relation != "punct" for word in sentence.words])
        types = tuple(word.form.lower() for word in sentence.words)
        examples.append(ProbeExample(name, maps[name], heads, scored, types, np.array(vectors)))
    expected = probe_facts(examples, examples, "bert", NAME, SEED, encoder("bert").device)
    pd.testing.assert_frame_equal(found, expected.assign(model=encoder("bert").id), rtol=1e-6)
    value = found.set_index("name")["value"]
    assert value["random attention+words"] == value["attention+words"], "the same maps stand for the twin's"


def test_too_few_sentences_teach_no_probe(encoder, learnt):
    inputs, maps = learnt
    few = dict(list(maps.items())[:5])
    assert probing(encoder("bert"), NAME, inputs, few, few, SEED) == []


def test_a_large_treebank_is_sampled_by_name():
    names = [f"s{number}" for number in range(MOST_SENTENCES + 50)]
    kept = sampled(names, SEED)
    assert len(kept) == MOST_SENTENCES
    assert kept < set(names)
    assert sampled(names[::-1], SEED) == kept != sampled(names, SEED + 1)
    assert sampled(names[:7], SEED) == set(names[:7])
