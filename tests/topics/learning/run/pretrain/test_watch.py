"""What a training logs of its heads is what the measures and the study of syntax say of the same model."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from transformers import AutoTokenizer, BertForPreTraining

from generator.attention.anatomy import examine
from generator.attention.stream import observe
from generator.corpora.classes import TokenClass
from generator.corpora.kind import Corpus
from generator.corpora.opening import open_corpora
from generator.corpora.treebank import TREEBANK
from generator.errors import CorpusError
from generator.models.load import load
from generator.models.source import locate
from generator.studies.halves import HELD_OUT
from generator.topics.learning.run.pretrain.data.text import read_split
from generator.topics.learning.run.pretrain.run import pretrain
from generator.topics.learning.run.pretrain.state import read_log
from generator.topics.learning.run.pretrain.watch import RELATIONS, TARGETS, watch, watched
from tests.reports import Silence
from tests.studies.surveyed import survey
from tests.topics.learning.run.pretrain.novels import Interrupting, InterruptionError, same, tiny, write

SETTINGS = tiny(max_tokens=64, watch_every=7, steps=24)
ROUNDING = 1e-4


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    """Sentences of "the ship sea rock": a determiner, a subject, a verb and an object, with words between."""
    lines = []
    for number in range(60):
        middle = number % 3
        words = [("the", 2, "det"), ("ship", 3 + middle, "nsubj")]
        words += [("night", 3 + middle, "obl")] * middle
        words += [("paint", 0, "root"), ("lamp", 3 + middle, "obj")]
        lines.append(f"# sent_id = s{number}")
        lines += [f"{at}\t{form}\t_\tX\t_\t_\t{head}\t{name}\t_\t_" for at, (form, head, name) in enumerate(words, 1)]
        lines.append("")
    path = tmp_path_factory.mktemp("trees") / "trees.conllu"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    return write(tmp_path_factory.mktemp("text"))


@pytest.fixture(scope="module")
def run(text, treebank, tmp_path_factory):
    out = tmp_path_factory.mktemp("run") / "out"
    return out, pretrain(SETTINGS, text, out, Silence(), treebank=treebank)


def looks(out):
    return [line for line in read_log(out) if line["kind"] == "watch"]


def test_every_kept_model_is_watched_and_every_few_steps_once(run):
    steps = [line["step"] for line in looks(run[0])]
    assert steps == sorted({*SETTINGS.kept, 7, 14, 21})


def test_the_log_of_the_last_step_is_of_the_last_model(run, text, treebank):
    tokenizer = AutoTokenizer.from_pretrained(run[1])
    what = watched(tokenizer, read_split(text, "valid"), treebank, SETTINGS.max_tokens, SETTINGS.seed)
    found = watch(BertForPreTraining.from_pretrained(run[1]), tokenizer, what, SETTINGS.seed)
    assert found.items() <= looks(run[0])[-1].items()


def test_attention_is_that_of_the_measures_beside_uniform_attention(run, text):
    encoder = load(locate(str(run[1])), torch.device("cpu"))
    inputs = watched(encoder.tokenizer, read_split(text, "valid"), None, SETTINGS.max_tokens, SETTINGS.seed).inputs
    seen = list(observe(encoder, examine(encoder), inputs))
    found = looks(run[0])[-1]["attention"]
    shares = [one.primitives.mass[..., TokenClass.SEPARATOR].sum(-1) / len(one.input) for one in seen]
    even = np.mean([2 / len(one.input) for one in seen])
    share = np.mean(shares, axis=0)
    assert set(found) == set(TARGETS)
    assert found["separator"]["uniform"] == pytest.approx(even, abs=ROUNDING)
    assert found["separator"]["mean"] == pytest.approx(share.mean(1).tolist(), abs=ROUNDING)
    assert found["separator"]["highest"] == pytest.approx(share.max(1).tolist(), abs=ROUNDING)
    assert found["separator"]["times"] == pytest.approx((share / even).mean(1).tolist(), rel=ROUNDING)
    assert found["separator"]["beyond"] == (share / even > 2).mean(1).tolist()


def test_gains_are_those_of_the_study_of_syntax(run, treebank, text):
    encoder = load(locate(str(run[1])), torch.device("cpu"))
    what = watched(encoder.tokenizer, read_split(text, "valid"), treebank, SETTINGS.max_tokens, SETTINGS.seed)
    assert len(what.sentences) == len(open_corpora([str(treebank)]).all[0].items)
    sample = Corpus("trees", TREEBANK, "", tuple(sentence for sentence, _ in what.sentences.values()))
    table = survey(encoder, sample, seed=SETTINGS.seed, max_tokens=SETTINGS.max_tokens).tables["relation_heads"]
    expected = table[(table["protocol"] == HELD_OUT) & table["relation"].isin(RELATIONS)].set_index("relation")
    found = looks(run[0])[-1]["gains"]
    assert set(found) == set(expected.index) == {"det", "nsubj", "obj"}
    for name, row in found.items():
        assert row["gain"] == pytest.approx(expected.loc[name, "gain"], abs=ROUNDING)
        assert row["head"] == f"{expected.loc[name, 'layer']}-{expected.loc[name, 'head']}"


def test_watching_changes_neither_the_training_nor_what_a_killed_run_leaves(run, text, treebank, tmp_path):
    for calls in (5, 11):
        with pytest.raises(InterruptionError):
            pretrain(SETTINGS, text, tmp_path / "out", Interrupting(calls), treebank=treebank)
    pretrain(SETTINGS, text, tmp_path / "out", Silence(), treebank=treebank)
    same(tmp_path / "out", run[0])
    pretrain(replace(SETTINGS, watch_every=0), text, tmp_path / "unwatched", Silence())
    states = [BertForPreTraining.from_pretrained(pretrain(SETTINGS, text, run[0], Silence(), treebank=treebank))]
    states.append(BertForPreTraining.from_pretrained(tmp_path / "unwatched/checkpoints/step-0000024"))
    assert all(torch.equal(a, b) for a, b in zip(*(state.state_dict().values() for state in states), strict=True))


def test_a_file_that_is_no_treebank_is_refused(text, tmp_path):
    (tmp_path / "plain.txt").write_text("A text.\n", encoding="utf-8")
    with pytest.raises(CorpusError, match=r"^Expected a treebank in .*plain.txt, found another kind of file; .*\.$"):
        pretrain(SETTINGS, text, tmp_path / "out", Silence(), treebank=tmp_path / "plain.txt")
