"""The command `quoted`: its numbers against loops over a model's own maps, what it stores, and what it refuses."""

from pathlib import Path

import pandas as pd
import pytest
import torch
from transformers import AutoModel, AutoTokenizer

from generator.experiments.code import code_of
from generator.results.manifest import Manifest
from generator.topics.quoted.corpus import quotes
from generator.topics.quoted.records import QUOTED
from tests.cli.command import fieldguide
from tests.encoders import write
from tests.topics.quoted.trees import LIKE, UNLIKE, conllu, examples

QUOTE = quotes()["black-cat"]
LONG = (*["lighthouselighthouse stood on a rock"] * 3,)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gives the folder that the command wrote."""
    return examples(tmp_path_factory.mktemp("quoted"))


def slow(model: Path, words: list[str]) -> list[list[list[list[float]]]]:
    """`[layer][head][query word][key word]`, from what the model returns, word by word."""
    tokenizer, encoder = AutoTokenizer.from_pretrained(model), AutoModel.from_pretrained(model)
    encoder.set_attn_implementation("eager")
    pieces = [tokenizer.encode(word, add_special_tokens=False) for word in words]
    ids = [tokenizer.cls_token_id, *(piece for word in pieces for piece in word), tokenizer.sep_token_id]
    with torch.no_grad():
        maps = encoder(torch.tensor([ids]), output_attentions=True).attentions
    places, at = [], 1
    for word in pieces:
        places.append(range(at, at + len(word)))
        at += len(word)
    return [
        [
            [[sum(one[q, k].item() for q in query for k in key) / len(query) for key in places] for query in places]
            for one in layer[0]
        ]
        for layer in maps
    ]


def ahead(maps: list[list[list[list[float]]]]) -> float:
    """The share of heads in which the last word gives the first more than any word between."""
    heads = [one for layer in maps for one in layer]
    return sum(all(one[4][0] > one[4][at] for at in (1, 2, 3)) for one in heads) / len(heads)


def test_every_number_is_that_of_a_slow_derivation(folder: Path) -> None:
    model = folder.parent.parent / "model"
    own = slow(model, list(QUOTE.words))
    others = [slow(model, text.rstrip("!. ").split()) for text in LIKE]
    heads = pd.read_parquet(folder / "head_facts.parquet").set_index(["name", "layer", "head"])
    for layer, row in enumerate(own):
        for head, one in enumerate(row):
            for word in range(5):
                stored = heads.loc[f"black-cat.weight.{word + 1}", layer + 1, head + 1]
                assert stored["value"] == pytest.approx(one[4][word], abs=1e-5)
                assert (stored["n"], stored["corpus"]) == (1, "quoted")
            usual = heads.loc["black-cat.usual", layer + 1, head + 1]
            assert usual["value"] == pytest.approx(sum(maps[layer][head][4][0] for maps in others) / 4, abs=1e-5)
            assert (usual["n"], usual["corpus"]) == (4, "trees.conllu")
            assert usual["low"] <= usual["value"] <= usual["high"]
    facts = pd.read_parquet(folder / "facts.parquet").set_index("name")
    shares = [ahead(maps) for maps in others]
    assert facts["value"].to_dict() == pytest.approx(
        {
            "black-cat.ahead": ahead(own),
            "black-cat.ahead.usual": sum(shares) / 4,
            "black-cat.fewer": sum(share < ahead(own) for share in shares) / 4,
        }
    )
    assert facts["n"].to_dict() == {"black-cat.ahead": 1, "black-cat.ahead.usual": 4, "black-cat.fewer": 4}


def test_one_sentence_has_no_interval(folder: Path) -> None:
    for name in ("facts", "head_facts"):
        rows = pd.read_parquet(folder / f"{name}.parquet")
        alone = rows["corpus"] == "quoted"
        assert rows[alone][["low", "high"]].isna().all(axis=None)
        assert rows[~alone][["low", "high"]].notna().all(axis=None)


def test_all_numbers_have_their_records_and_no_text_of_others_is_stored(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == {"facts.parquet", "head_facts.parquet", "manifest.json"}
    seen = set()
    for name in ("facts", "head_facts"):
        rows = pd.read_parquet(folder / f"{name}.parquet")
        assert {*rows.select_dtypes(exclude="number")} == {"model", "corpus", "study", "name"}
        seen |= {QUOTED.quantity(one).title for one in rows["name"].unique()}
    assert len(seen) == len(QUOTED.quantities) + 4


def test_manifest_says_what_was_read_and_how_to_do_it_again(folder: Path) -> None:
    manifest = Manifest.read(folder)
    assert manifest.settings["sentences"] == {key: quote.text for key, quote in quotes().items()}
    assert manifest.studies == {"quoted": code_of("quoted")}
    assert manifest.command == "fieldguide quoted MODEL --corpus trees.conllu --max-tokens 128 --seed 0".replace(
        "MODEL", str(folder.parent.parent / "model")
    )


@pytest.mark.parametrize(
    ("sentences", "words", "said"),
    [
        (
            UNLIKE,
            (),
            "Expected two sentences or more of 5 words, as 'Tom is a black cat' has, in trees.c",
        ),
        (
            LIKE,
            ("--corpus", "articles"),
            "Expected one treebank with sentences like the examples, found tr",
        ),
        (LONG, ("--max-tokens", "16"), "two sentences like it to fit into 16 tokens, found that they do not; raise"),
    ],
)
def test_what_cannot_be_compared_is_said_in_one_sentence(
    tmp_path: Path, sentences: tuple[str, ...], words: tuple[str, ...], said: str
) -> None:
    (tmp_path / "trees.conllu").write_text(conllu(sentences), encoding="utf-8")
    model, read = write("bert", tmp_path / "model"), ("--corpus", tmp_path / "trees.conllu")
    code, _, error = fieldguide("quoted", model, *read, *words, "--results", tmp_path / "results")
    assert code
    assert said in error
    assert not list((tmp_path / "results").glob("[!.]*"))
