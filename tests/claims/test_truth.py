"""What must come out: nothing special on random weights, and what was made to be true on maps made by hand."""

from dataclasses import replace

import pytest
import torch
import transformers

from generator import analysis
from generator.analysis import Archive
from generator.claims.all import CLAIMS
from generator.claims.claim import judge
from generator.claims.evidence.evidence import Evidence
from generator.claims.gate.premises import NO_TWIN
from generator.config import Analysis
from generator.home import DATA
from generator.jobs import job
from generator.models.source import locate
from generator.results.store import Results
from generator.topics.relations.compute import relations
from tests.claims import true_maps
from tests.reports import Silence

BY_ID = {claim.id: claim for claim in CLAIMS}
DECIDED_BY_MAPS = (
    "C02",
    "C03",
    "C04",
    "C05",
    "C06",
    "C07",
    "C10",
    "C11",
    "C24",
    "K01",
    "K03",
    "K10",
    "R03",
    "R06",
)


@pytest.fixture(scope="module")
def random_weights(tmp_path_factory):
    """Every claim judged for a BERT of small-bert's vocabulary whose weights were drawn and never trained."""
    root = tmp_path_factory.mktemp("random")
    small = DATA / "models" / "small-bert"
    config = transformers.AutoConfig.from_pretrained(small, hidden_size=64, intermediate_size=128)
    torch.manual_seed(0)
    model = transformers.AutoModelForPreTraining.from_config(config)
    model.save_pretrained(root / "drawn")
    transformers.AutoTokenizer.from_pretrained(small).save_pretrained(root / "drawn")
    settings = replace(Analysis(), documents=24, max_tokens=64, device="cpu")
    folder, _ = analysis.analyze(locate(str(root / "drawn"), None), settings, root / "results", Silence())
    evidence = Evidence(Results.open(folder))
    return {claim.id: judge(claim, evidence) for claim in CLAIMS}


@pytest.fixture(scope="module")
def sharp(tmp_path_factory):
    """Claims about relations judged for random weights whose queries and keys are so large that maps are nearly all on
    one token; only the study of relations reads the treebank.
    """
    root = tmp_path_factory.mktemp("sharp")
    tokenizer = transformers.AutoTokenizer.from_pretrained(locate("all-MiniLM-L6-v2", None).folder)
    shape = {"hidden_size": 192, "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 768}
    torch.manual_seed(0)
    model = transformers.BertForPreTraining(transformers.BertConfig(vocab_size=len(tokenizer), **shape))
    with torch.no_grad():
        for layer in model.bert.encoder.layer:
            layer.attention.self.query.weight *= 8
            layer.attention.self.key.weight *= 8
    model.save_pretrained(root / "drawn")
    tokenizer.save_pretrained(root / "drawn")
    settings = replace(Analysis(), documents=300, corpora=("treebank",), max_tokens=64, device="cpu")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(job, "PROCEDURES", (relations.PROCEDURE,))
        folder, _ = analysis.analyze(locate(str(root / "drawn"), None), settings, root / "results", Silence())
    evidence = Evidence(Results.open(folder))
    return {name: judge(BY_ID[name], evidence) for name in ("C13", "C20", "H01")}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Evidence of the maps that were made by hand."""
    root = tmp_path_factory.mktemp("made")
    archive = true_maps.write(root / "true.npz")
    folder = analysis.analyze_maps(Archive(archive, "true maps"), Analysis(), root / "results", Silence())
    return Evidence(Results.open(folder))


def test_random_weights_have_no_specialty(random_weights):
    """Not even that there is none: what such weights have is no news of a model."""
    assert {name for name, found in random_weights.items() if found.verdict == "holds"} == set()


@pytest.mark.parametrize("name", ["C20", "H01"])
def test_sharp_maps_of_random_weights_are_no_heads_for_relations(sharp, name):
    """Each relation has a best head, also among maps that nobody trained, and most of these may read one way."""
    assert sharp[name].verdict == "not testable"
    assert sharp[name].reason.startswith("Not testable: no head is surely better")
    assert "an untrained model meets this threshold, too" in sharp["C13"].reason


@pytest.mark.parametrize("name", ["C01", "C13", "Q03", "R04", "R07"])
def test_what_is_absent_from_random_weights_too_says_why_it_does_not_count(random_weights, name):
    found = random_weights[name]
    assert found.verdict == "not testable"
    met = [finding for finding in found.findings if finding.number and finding.part.verdict(finding.number) == "holds"]
    assert met, "otherwise the case shows nothing"
    told = {"C01": "uniform attention meets this threshold, too; it gives ", "C13": "an untrained model meets"}
    assert all(str(one.missing).startswith(told.get(name, NO_TWIN)) for one in met)


def test_random_weights_are_read_far_enough_to_be_judged(random_weights):
    """Those that are not judged, although they are read, do not do what the claim explains, or say no more than chance
    does.
    """
    found = {name: item.findings for name, item in random_weights.items()}
    judged = {name for name, item in random_weights.items() if item.verdict != "not testable"}
    measured = {name for name, some in found.items() if any(one.number for one in some)}
    idle = {name for name, some in found.items() if any("that chance would give" in str(one.missing) for one in some)}
    assert len(judged | measured | idle) > 30
    assert len(judged) > 20
    assert {"C08", "H02", "H06", "H11", "K11", "R01"} <= idle


def test_little_attention_to_the_token_itself_says_nothing_where_maps_are_wide(made):
    found = judge(BY_ID["C01"], made)
    assert (found.value, found.verdict) == (1, "not testable")
    assert found.reason.startswith("Not testable: uniform attention meets this threshold, too; it gives 1, ")


@pytest.mark.parametrize("name", DECIDED_BY_MAPS)
def test_what_maps_were_made_to_show_holds(made, name):
    found = judge(BY_ID[name], made)
    assert found.verdict == "holds", found.reason
