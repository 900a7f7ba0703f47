"""What a hub announces of a model is measured before anything is fetched; a hub that does not answer costs no time."""

import socket
from types import SimpleNamespace

import pytest
from huggingface_hub import HfApi, constants
from huggingface_hub.hf_api import RepoFile
from huggingface_hub.utils import _http

from generator.errors import ModelError
from generator.limits import MOST_FILES, MOST_SETUP, MOST_WEIGHTS
from generator.models.sizes import check_sizes
from generator.models.source import WANTED, locate


def test_a_hub_that_nobody_can_reach_is_asked_once(monkeypatch):
    waited = []
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))  # and nobody listens
        monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{held.getsockname()[1]}")
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        monkeypatch.setattr(_http, "time", SimpleNamespace(sleep=waited.append, time=lambda: 0.0))
        check_sizes("tiny/bert", None, ["*.json"])
    assert waited == []


LISTINGS = {
    "weights": ({"model.safetensors": MOST_WEIGHTS, "more.safetensors": 1}, r"at most 256 GiB of weights of big/model"),
    "tokenizer": (
        {"tokenizer.json": MOST_SETUP + 1},
        r"at most 1024 MiB of files .* of big/model, found 1024 .*tokenizer\.json",
    ),
    "many": (
        {f"{number}.json": MOST_SETUP // 3 for number in range(4)},
        r"at most 1024 MiB of files .* found 1365 MiB",
    ),
    "files": ({f"{number}.txt": 1 for number in range(MOST_FILES + 1)}, r"at most 10,000 files of big/model, found"),
}


@pytest.fixture
def announce(monkeypatch):
    """Has the hub announce files of these sizes for a model."""

    def run(sizes):
        listed = [RepoFile(path=name, size=size, oid="") for name, size in sizes.items()]
        siblings = [SimpleNamespace(rfilename=name) for name in sizes]
        monkeypatch.setattr(HfApi, "model_info", lambda *_, **__: SimpleNamespace(sha="commit", siblings=siblings))

        def tree(_hub, _model, path_in_repo, revision):
            above = f"{path_in_repo}/" if path_in_repo else ""
            here = (file for file in listed if file.path.rpartition("/")[0] == above.rstrip("/"))
            return here if revision == "commit" else iter(())

        monkeypatch.setattr(HfApi, "list_repo_tree", tree)

    return run


@pytest.mark.parametrize("which", LISTINGS)
def test_a_model_of_which_the_hub_announces_far_too_much_is_refused_before_it_is_fetched(
    announce, monkeypatch, which: str
):
    sizes, says = LISTINGS[which]
    announce(sizes)
    monkeypatch.setattr("huggingface_hub.snapshot_download", lambda *_, **__: pytest.fail("nothing is fetched"))
    with pytest.raises(ModelError, match=says):
        locate("big/model")


@pytest.mark.parametrize("name", ["lora/adapter_config.json", "lora/adapter_model.safetensors"])
def test_an_adapter_in_a_folder_below_a_model_on_the_hub_is_named_before_anything_is_fetched(announce, name: str):
    announce({"config.json": 2, "model.safetensors": 9, name: 9, "runs/lora/adapter_config.json": 9})
    with pytest.raises(ModelError, match=rf"alone at 'big/model', found {name}, a part of an adapter.*merge it"):
        locate("big/model")


def test_the_folder_that_a_list_of_modules_names_is_measured_before_it_is_fetched(announce, monkeypatch, tmp_path):
    announce({"modules.json": 9, "0_T/config.json": 2, "0_T/model.safetensors": MOST_WEIGHTS + 1})
    folder, asked = tmp_path / "commit", []

    def fetch(_model, **_):
        asked.append(1)
        folder.mkdir()
        (folder / "modules.json").write_text('[{"idx": 0, "path": "0_T", "type": "x"}]')
        return str(folder)

    monkeypatch.setattr("huggingface_hub.snapshot_download", fetch)
    with pytest.raises(ModelError, match="at most 256 GiB of weights of big/model"):
        locate("big/model")
    assert len(asked) == 1


def test_files_that_nobody_wants_may_be_large(announce):
    announce({"pytorch_model.bin": MOST_WEIGHTS * 2})
    check_sizes("big/model", None, WANTED)
