"""What must come out: nothing special on random weights, and what was made to be true on maps made by hand."""

from dataclasses import replace

import pytest
import torch
import transformers

from generator import analysis
from generator.analysis import Archive
from generator.claims import CLAIMS
from generator.claims.claim import judge
from generator.claims.evidence.evidence import Evidence
from generator.config import Analysis
from generator.home import DATA
from generator.models.source import locate
from generator.results.store import Results
from tests.claims import true_maps
from tests.reports import Silence

BY_ID = {claim.id: claim for claim in CLAIMS}
DECIDED_BY_MAPS = (
    "C01",
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
    config = transformers.AutoConfig.from_pretrained(small)
    torch.manual_seed(0)
    model = transformers.AutoModelForPreTraining.from_config(config)
    model.save_pretrained(root / "drawn")
    transformers.AutoTokenizer.from_pretrained(small).save_pretrained(root / "drawn")
    settings = replace(Analysis(), documents=24, max_tokens=64, device="cpu")
    folder, _ = analysis.analyze(locate(str(root / "drawn"), None), settings, root / "results", Silence())
    evidence = Evidence(Results.open(folder))
    return {claim.id: judge(claim, evidence) for claim in CLAIMS}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Evidence of the maps that were made by hand."""
    root = tmp_path_factory.mktemp("made")
    archive = true_maps.write(root / "true.npz")
    folder = analysis.analyze_maps(Archive(archive, "true maps"), Analysis(), root / "results", Silence())
    return Evidence(Results.open(folder))


def test_random_weights_have_no_specialty(random_weights):
    """A claim that no head does anything special, or of text and vocabulary and not of weights, says that it holds."""
    assert {name for name, found in random_weights.items() if found.verdict == "holds"} == {
        claim.id for claim in CLAIMS if claim.untrained
    }


def test_random_weights_are_read_far_enough_to_be_judged(random_weights):
    judged = [name for name, found in random_weights.items() if found.verdict != "not testable"]
    assert len(judged) > 25


@pytest.mark.parametrize("name", DECIDED_BY_MAPS)
def test_what_maps_were_made_to_show_holds(made, name):
    found = judge(BY_ID[name], made)
    assert found.verdict == "holds", found.reason
