"""A model that is no encoder we can describe is refused in one true sentence, before anything is read or stored."""

import json
from pathlib import Path

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from generator.attention.anatomy import examine
from generator.errors import ModelError
from generator.models.source import locate
from generator.topics.tasks.run.finetune.train import finetune
from tests.cli.command import fieldguide, write_corpus
from tests.encoders import HEADS, HIDDEN, LAYERS, POSITIONS, SIZE, loaded, tokenizer_of
from tests.encoders import write as write_encoder
from tests.experiments.reviews import tiny, write_tasks
from tests.reports import Silence

PIECES = len(tokenizer_of("bert"))
BERT = SIZE | {"vocab_size": PIECES}
GPT2 = {"vocab_size": PIECES, "n_embd": HIDDEN, "n_layer": LAYERS, "n_head": HEADS, "n_positions": POSITIONS}
ENDS = {"bos_token_id": 2, "eos_token_id": 3, "pad_token_id": 0}
FUNNEL = {"vocab_size": PIECES, "block_sizes": [1, 1], "d_model": 32, "n_head": 4, "d_head": 8, "d_inner": 48}
CANINE = BERT | {"vocab_size": 64, "max_position_embeddings": 512, "local_transformer_stride": 16}
CANINE |= {"num_hash_buckets": 64, "upsampling_kernel_size": 4, "downsampling_rate": 4}
IMAGES = {name: size for name, size in SIZE.items() if name != "max_position_embeddings"}
IMAGES |= {"image_size": 32, "patch_size": 16}
NYSTROMFORMER = BERT | {"segment_means_seq_len": 64, "num_landmarks": 4, "conv_kernel_size": 5}
GROUPS = ("q", "k", "v", "post_attention", "intermediate", "output")
SQUEEZEBERT = BERT | {"embedding_size": HIDDEN} | {f"{name}_groups": 1 for name in GROUPS}
REFORMER = {"vocab_size": PIECES, "hidden_size": HIDDEN, "num_attention_heads": HEADS, "attention_head_size": 8}
REFORMER |= {"axial_pos_embds": False, "attn_layers": ["local"] * LAYERS, "is_decoder": False, "feed_forward_size": 48}
T5 = {"vocab_size": len(tokenizer_of("t5")), "d_model": HIDDEN, "d_kv": 8, "d_ff": 48, "num_layers": 2, "num_heads": 4}


@pytest.fixture
def refusal(tmp_path):
    """Analyses a folder and gives its one line, once it is clear that nothing was stored."""
    text = write_corpus(tmp_path / "twelve.txt", 12)

    def run(model: Path, corpus: Path = text) -> str:
        outcome = fieldguide("analyze", model, "--corpus", corpus, "--results", tmp_path / "results")
        assert (outcome.exit, outcome.out) == (1, "")
        line = outcome.err.removesuffix("\n")
        assert line.startswith("Error: Expected ")
        assert line.isprintable(), "one line, as a person reads it"
        assert list((tmp_path / "results").glob("*")) == []
        return line

    return run


def saved(folder: Path, kind: str, family: str = "bert", **settings: object) -> Path:
    """A random model of one of transformers' classes, with the tokenizer of a tiny encoder."""
    torch.manual_seed(0)
    getattr(transformers, f"{kind}Model")(
        getattr(transformers, f"{kind.removesuffix('Encoder').removesuffix('Base')}Config")(**settings)
    ).save_pretrained(folder)
    tokenizer_of(family).save_pretrained(folder)
    return folder


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("GPT2", GPT2),
        ("Llama", BERT),
        ("Bert", BERT | {"is_decoder": True}),
        ("CLIPText", BERT | ENDS),
    ],
    ids=["GPT-2", "Llama", "BERT as a decoder", "the text model of CLIP"],
)
def test_a_decoder_is_known_by_its_attention(tmp_path, refusal, kind, settings):
    line = refusal(saved(tmp_path / "model", kind, **settings))
    assert f"in layer 1 of {LAYERS} nothing attends to a later token, as in a decoder; choose an encoder." in line


def test_a_decoder_is_not_trained_on_a_task_either(tmp_path):
    decoder = saved(tmp_path / "model", "Bert", **BERT | {"is_decoder": True})
    data = write_tasks(tmp_path / "data")
    with pytest.raises(ModelError, match="as in a decoder"):
        finetune(locate(str(decoder)), tiny(), data, tmp_path / "out", Silence())
    assert not [path for path in (tmp_path / "out").rglob("*") if path.is_file()]


def test_a_bert_that_is_called_a_decoder_of_nothing_is_an_encoder(tmp_path):
    """Its settings speak of a decoder; its attention goes both ways."""
    folder = saved(tmp_path / "model", "Bert", **BERT | {"architectures": ["BertLMHeadModel"]})
    assert examine(loaded(folder)).layers == LAYERS


@pytest.mark.parametrize(
    ("kind", "settings", "maps"),
    [
        ("Funnel", FUNNEL | {"num_decoder_layers": 1}, "a funnel model with maps of 64 x 64 and 32 x 64"),
        ("FunnelBase", FUNNEL, "a funnel model with maps of 64 x 64 and 32 x 64"),
        ("Canine", CANINE | ENDS, "a canine model with maps of 16 x 16 and 64 x 64"),
    ],
    ids=["Funnel", "Funnel without its decoder", "CANINE"],
)
def test_layers_that_do_not_all_see_the_whole_input_are_refused(tmp_path, refusal, kind, settings, maps):
    """Their maps are of other sizes: such a model shortens its input, or divides it."""
    line = refusal(saved(tmp_path / "model", kind, **settings))
    assert f"to attend from all 64 tokens of a text to all of them, found {maps}; choose an encoder" in line


def test_a_model_that_cannot_read_a_short_text_is_refused_without_what_its_code_says(tmp_path, refusal):
    """It divides every input into landmarks of one size."""
    line = refusal(saved(tmp_path / "model", "Nystromformer", **NYSTROMFORMER))
    assert "to read a short text, found a nystromformer model whose forward pass fails on a text of 64 tokens; " in line
    assert line.endswith("; choose an encoder that reads plain text of any length.")


@pytest.mark.parametrize(
    ("kind", "settings"),
    [("FNet", BERT), ("Yoso", BERT), ("Mra", BERT), ("SqueezeBert", SQUEEZEBERT), ("Reformer", REFORMER)],
    ids=["none", "no maps", "maps of blocks", "maps that are no output of a module", "outputs that are told by name"],
)
def test_a_model_whose_maps_cannot_be_taken_is_refused(tmp_path, refusal, kind, settings):
    line = refusal(saved(tmp_path / "model", kind, **settings))
    said = "can be taken neither by a registered attention function nor from what its layers return; choose another"
    assert f"to show its attention, found a {kind.lower()} model in which it {said}" in line


def test_weights_of_other_shapes_than_those_of_the_configuration_are_named(tmp_path, refusal):
    folder = write_encoder("bert", tmp_path / "model")
    _configure(folder, intermediate_size=64)
    line = refusal(folder)
    wide = f"encoder.layer.0.intermediate.dense.bias with {SIZE['intermediate_size']} in place of 64 and"
    assert f"of the shapes that config.json asks for in {folder}, found {wide} {3 * LAYERS - 1} more; " in line
    assert line.endswith("; check that config.json and the weights belong together.")


def test_a_model_of_images_is_refused_with_a_tokenizer_and_without(tmp_path, refusal):
    folder = saved(tmp_path / "model", "ViT", **IMAGES)
    assert "a model that reads text" in refusal(folder)
    assert "found a vit model, which reads pixel_values" in refusal(folder)
    for file in folder.glob("tokenizer*"):
        file.unlink()
    (folder / "preprocessor_config.json").write_text("{}")
    assert "found no tokenizer but preprocessor_config.json, as in models of images or sound" in refusal(folder)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_one_weight_that_is_no_number_is_named(tmp_path, refusal, value):
    folder = write_encoder("bert", tmp_path / "model")
    tensors = load_file(folder / "model.safetensors")
    name = "encoder.layer.1.attention.self.query.weight"
    tensors[name][3, 5] = value
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    assert f"found NaN or infinity in {name}" in refusal(folder)


def test_a_model_whose_numbers_overflow_is_refused(tmp_path):
    folder = write_encoder("bert", tmp_path / "model")
    tensors = load_file(folder / "model.safetensors")
    tensors["encoder.layer.1.intermediate.dense.weight"].fill_(3e38)
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelError, match="to put out finite numbers for a short text, found NaN or infinity"):
        examine(loaded(folder))


@pytest.mark.parametrize("layers", [0, -4])
def test_a_model_without_layers_is_refused(tmp_path, refusal, layers):
    folder = saved(tmp_path / "model", "Bert", **BERT | {"num_hidden_layers": 0})
    _configure(folder, num_hidden_layers=layers)
    assert f"a model with layers in {folder}, found {layers} in its config.json" in refusal(folder)


@pytest.mark.parametrize("family", ["bert", "albert"])
def test_a_billion_layers_are_refused_before_they_are_made(tmp_path, refusal, family):
    folder = write_encoder(family, tmp_path / "model")
    _configure(folder, num_hidden_layers=10**9)
    assert "at most 1000 layers in" in refusal(folder)
    assert "found num_hidden_layers 1000000000" in refusal(folder)


def test_a_tokenizer_without_a_vocabulary_is_refused(tmp_path, refusal):
    """The library makes one of special tokens alone where the file with the pieces is missing."""
    folder = write_encoder("bert", tmp_path / "model")
    (folder / "tokenizer.json").unlink()
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "BertTokenizer"}')
    assert "a vocabulary in the tokenizer of model, found special tokens alone" in refusal(folder)


@pytest.mark.parametrize(("family", "name"), [("t5", "T5Tokenizer"), ("deberta-v2", "DebertaV2Tokenizer")])
def test_a_tokenizer_that_knows_no_word_of_the_text_is_refused(tmp_path, refusal, family, name):
    """A vocabulary of a few pieces that are not of the text, such as the mark of a blank."""
    folder = write_encoder(family, tmp_path / "model")
    (folder / "tokenizer.json").unlink()
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": name}))
    line = refusal(folder)
    assert "the tokenizer of model to know most of twelve.txt, found 100 % of its tokens unknown" in line


@pytest.mark.parametrize(("foreign", "known"), [(3, True), (4, False)])
def test_half_a_text_may_be_unknown_and_no_more(checkpoint, tmp_path, foreign, known):
    text = tmp_path / "mixed.txt"
    paragraph = " ".join(["a"] * 3 + ["ж"] * foreign)
    text.write_text("\n\n\n".join(f"# {day}\n\n{paragraph}\n\n{paragraph}" for day in range(12)))
    words = "analyze", checkpoint("bert"), "--corpus", text, "--no-studies", "--results", tmp_path / "results"
    assert fieldguide(*words).exit == (0 if known else 1)


def _configure(folder: Path, **changes: object) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | changes))
