"""Pages, figures and the command line show the tokens of any vocabulary as people read them, pieces one hover away."""

import html
import re

import pytest

import generator
from generator.analysis import analyze
from generator.claims.all import CLAIMS
from generator.claims.evidence.evidence import Evidence
from generator.claims.explain import explain
from generator.config import Analysis
from generator.home import TEMPLATES
from generator.models.source import locate
from generator.numbers.pieces import readable
from generator.pages.render import judged
from generator.pages.renderer import Page, Renderer
from generator.results.store import Results
from tests.cli.command import write_corpus
from tests.pages.every import pages
from tests.reports import Silence
from tests.site.documents import data_of

MARKS = {"roberta": "Ġ", "albert": "▁"}
HIDDEN = re.compile(r' title="[^"]*"', re.DOTALL)
PIECE = re.compile(r'<bdi title="([^"]*)">([^<]*)</bdi>')


@pytest.fixture(scope="module", params=MARKS)
def read(request, checkpoint, tmp_path_factory) -> tuple[str, Results, list[Page]]:
    """A mark, results of a tiny encoder whose vocabulary has it, and all pages made from them."""
    root = tmp_path_factory.mktemp("pieces")
    settings = Analysis(corpora=(str(write_corpus(root / "twelve.txt", 12)),), device="cpu", max_tokens=64)
    folder, _ = analyze(locate(str(checkpoint(request.param))), settings, root, Silence())
    results = Results.open(folder)
    problems: list[str] = []
    ((shown, ledger, _),) = judged([results], problems)
    made = list(pages([shown.results], ledger, Renderer(TEMPLATES), {}))
    assert problems == []
    return MARKS[request.param], results, made


def test_no_page_shows_the_marks_of_a_vocabulary(read):
    mark, _, made = read
    wrong = [page.address for page in made if mark in HIDDEN.sub("", page.html) + page.search + page.description]
    assert wrong == []


def test_what_is_shown_tells_its_piece_to_a_pointer(read):
    mark, _, made = read
    found = {(html.unescape(piece), html.unescape(text)) for page in made for piece, text in PIECE.findall(page.html)}
    assert {piece[:1] for piece, _ in found} >= {mark}
    assert [pair for pair in found if readable(pair[0]) != pair[1]] == []
    assert {page.address.split("/")[2] for page in made if PIECE.search(page.html)} >= {"heads", "roles"}


def test_maps_are_labelled_with_what_people_read_and_keep_the_pieces(read):
    mark, results, made = read
    head = next(page for page in made if "/heads/1-1/" in page.address)
    (data,) = (text for address, text in head.files if address.endswith(".js"))
    views = data_of(data)["maps"]["views"]
    assert any(mark in token for view in views for token in view["tokens"])
    assert all(view["labels"] == [readable(token) for token in view["tokens"]] for view in views)
    chart = generator.figure("map", results, head="1-1").to_dict()
    (labels,) = [one["value"] for one in chart["params"] if one["name"] == "labels"]
    assert labels == views[0]["labels"]


def test_the_map_of_tokens_writes_labels_and_tells_pieces(read):
    _, _, made = read
    roles = next(page for page in made if page.address.startswith("models/") and page.address.endswith("/roles/"))
    (data,) = data_of(roles.files[-1][1]).values()
    columns = data["views"][0]["columns"]
    assert columns["label"] == [readable(token) for token in columns["token"]]


def test_explain_prints_what_people_read(read):
    mark, results, _ = read
    claims = [claim for claim in CLAIMS if claim.id.startswith("H")]
    told = [explain(claim, Evidence(results)) for claim in claims]
    assert any("roles.parquet" in text for text in told)
    assert [text for text in told if mark in text] == []
