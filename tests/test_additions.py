"""A measure, a number of a study, a claim and a section with a chart need the edits that CONTRIBUTING.md names.

All are made in a copy of the project, and the site that the copy builds is read.
"""

import os
import re
import shutil
import subprocess
import sys

import pytest

from tests.cli.command import ROOT
from tests.limits import SECONDS
from tests.site.documents import Document
from tests.test_pipeline import write_project

MEASURE = '''"""How much narrower a head looks than uniform attention."""

import numpy as np

from generator.measures.measure import Measure, ratio

NARROWNESS = Measure(
    name="narrowness",
    title="Narrowness",
    definition="Entropy of uniform attention minus mean entropy.",
    formula="ln n - (1/n) sum_i H(A[i])",
    reference="0",
    source="Made for a test",
    unit="nats",
    range="0 to ln n",
    compute=lambda p, c: np.log(c.tokens) - ratio(p.entropy.sum(-1), c.tokens),
)
'''
QUANTITY = """        count(
            name="embedding.parameters",
            title="Parameters of the input embedding",
            definition="Rows times parameters of a row.",
        ),
"""
CLAIM = '''"""A claim made for a test."""

from generator.claims.claim import Claim, part
from generator.claims.cutoffs import SEED

Z01 = Claim(
    id="Z01",
    title="Heads are narrow",
    statement="Most heads look at less than everything.",
    paper="Nobody 2026",
    section="1",
    measure="Share of heads that are narrower than uniform attention.",
    needs="text that the model can read",
    parts=(
        part(
            "Z01.1",
            "the share of heads that are narrower than uniform attention",
            "share",
            lambda evidence: evidence.share_of_heads(["narrowness"], lambda nats: nats > 0, SEED),
            over="heads",
        ),
    ),
)
'''
BOUND = """
[[Z01.1]]
set = 2026-11-22
bounds = "above 0.5"
why = "Most is more than half."
"""
CHART = '''"""Dots along a line."""

import altair as alt

from generator.charts.parts import DATA, colour_params


def dots() -> alt.TopLevelMixin:
    """One dot per row. Columns: layer, value. Signals: none."""
    return alt.Chart(DATA, width="container").mark_point().encode(x="layer:O", y="value:Q").add_params(*colour_params())
'''
SECTION = '''

def made_for_a_test(atlas: Atlas) -> Section | None:
    """The new measure by layer, and the new number of a study; None for a model that has not got the number."""
    layers = atlas.estimates["narrowness"].layers.value
    held = atlas.results.table("facts").query("name == 'embedding.parameters'")["value"]
    if held.empty:
        return None
    numbered = range(1, len(layers) + 1)
    figure = Figure(
        id="dots",
        label="Narrowness by layer",
        kinds=("dots",),
        data=embed({"shared": {}, "views": [{"columns": {"layer": list(numbered), "value": rounded(layers)}}]}),
        caption="Means over heads.",
        table=Table(("layer", "nats"), tuple(zip(map(str, numbered), map(number, layers), strict=True))),
    )
    return Section("narrow", "How narrow", (f"The embedding has {held.item():.0f} parameters.", figure))
'''
CLAIMS, CHARTS = "generator/claims/__init__.py", "generator/charts/compile.py"
PAGE, MEASURES = "generator/pages/studies/phases.py", "generator/measures/__init__.py"
TOKENS = "generator/studies/tokens"

ADDITIONS = {
    "Add a measure": (
        ("generator/measures/narrowness.py", "", MEASURE),
        (MEASURES, "from generator.measures.norms", "from generator.measures.narrowness import NARROWNESS\n"),
        (MEASURES, "    PATTERN,\n)", "    NARROWNESS,\n"),
    ),
    "Add a number to a study": (
        (f"{TOKENS}/quantities.py", '        count(\n            name="embedding.width"', QUANTITY),
        (f"{TOKENS}/model_facts.py", "    except NotImpl", '        found["embedding.parameters"] = types * width\n'),
    ),
    "Add a claim": (
        ("generator/claims/others/narrow.py", "", CLAIM),
        ("data/claims/bounds.toml", "", BOUND),
        (CLAIMS, "from generator.claims.others.related", "from generator.claims.others.narrow import Z01\n"),
        (CLAIMS, "    Q01, Q02", "    Z01,\n"),
    ),
    "Add a section to a page": (
        (PAGE, "", SECTION),
        (PAGE, "            *layer_curves(", "            made_for_a_test(atlas),\n"),
    ),
    "Add a chart": (
        ("generator/charts/dots.py", "", CHART),
        (CHARTS, "from generator.charts.curve import lines", "from generator.charts import dots\n"),
        (CHARTS, '        "curves": grid', '        "dots": dots.dots,\n'),
    ),
}
"""Heading of the guide -> edits: a file, what the new text stands before ("" at the file's end), the new text."""


STORED = "bert-base-uncased-sst2"
"""Results in the repository that no build can make again: its weights are not there."""


@pytest.fixture(scope="module")
def site(checkpoint, drawn, tmp_path_factory):
    """The site of a tiny encoder, built by a copy of the project in which all additions are made."""
    root = tmp_path_factory.mktemp("additions")
    for name in ("generator", "templates", "data/claims", "data/corpora", "data/published"):
        shutil.copytree(ROOT / name, root / "copy" / name)
    for path, before, text in (edit for edits in ADDITIONS.values() for edit in edits):
        file = root / "copy" / path
        old = file.read_text() if file.exists() else ""
        assert not before or old.count(before) == 1, f"{before!r} is to stand in {path} once"
        file.write_text(old.replace(before, text + before) if before else old + text)
    config = write_project(root / "project", [checkpoint("bert")])
    shutil.copytree(ROOT / "data/results" / STORED, root / "project/build/results" / STORED)
    command = [sys.executable, "-m", "tests.drawn", str(drawn), "build", "--config", str(config)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (root / "copy", ROOT)))}
    subprocess.run(command, cwd=root, env=environment, check=True, timeout=SECONDS)
    return root / "project" / "site"


@pytest.fixture
def read(site):
    """The text of a built page."""
    return lambda address: Document((site / address / "index.html").read_text()).find("article")[0].text


def test_a_new_measure_has_a_page_and_a_row_on_every_head(read):
    assert "Entropy of uniform attention minus mean entropy." in read("methods/narrowness")
    assert "Narrowness" in read("models/bert/heads/2-3")


def test_a_new_measure_is_undefined_in_results_that_are_older_and_all_else_of_them_is_shown(read):
    assert "Narrowness (nats, n = 0)" in read(f"models/{STORED}/heads/3-1")
    assert "looks at the next token" in read(f"models/{STORED}/heads/3-1")
    assert re.search(r"\bbert-base-uncased-sst2.{0,20}not testable", read("claims/z01"))


def test_a_new_number_of_a_study_has_its_record_under_methods(read):
    assert "Rows times parameters of a row." in read("methods/model")


def test_a_new_claim_has_a_page_with_its_verdict(read):
    page = read("claims/z01")
    assert "Most heads look at less than everything." in page
    assert re.search(r"\bbertholds", page)


def test_a_new_section_shows_the_numbers_with_its_chart(read, site):
    page = read("models/bert/phases")
    assert "How narrow" in page
    assert re.search(r"The embedding has \d{4} parameters\.", page)
    assert 'data-kind="dots"' in (site / "models/bert/phases/index.html").read_text()
    assert any('"dots":{"vega"' in script.read_text() for script in site.rglob("*.js"))


@pytest.mark.parametrize("heading", ADDITIONS)
def test_the_guide_names_every_file_that_is_edited_and_the_folder_of_every_new_one(heading):
    guide = (ROOT / "CONTRIBUTING.md").read_text()
    (steps,) = re.findall(rf"^## {heading}\n(.*?)^## ", guide, re.DOTALL | re.MULTILINE)
    paths = {path for path, _, _ in ADDITIONS[heading]}
    needed = {path if (ROOT / path).exists() else "/".join(path.split("/")[:2]) + "/" for path in paths}
    assert {path for path in needed if f"`{path}`" not in steps} == set()
