"""What is added to a copy of the project, and where: the edits that the sections of the guide for contributors name."""

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
DERIVATION = """        "narrowness": math.log(n) - mean([entropy(row) for row in a]),
"""
QUANTITY = """        count(
            name="embedding.parameters",
            title="Parameters of the input embedding",
            definition="Rows times parameters of a row.",
            where="results stored since it was added",
        ),
"""
NUMBER = """        found["embedding.parameters"] = types * width
"""
EXPECTED = """        "embedding.parameters": pieces * width,
"""
KIND = '''"""Verse: one poem a file, a line of it a line."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from generator.corpora.kind import Content, Corpus, Form, Kind
from generator.corpora.pairs import Document, Input, PairMaker


def is_verse(path: Path) -> bool:
    """Whether a file is one by its ending."""
    return path.suffix == ".verse"


def read_verse(_name: str, paths: Sequence[Path], _skip_bad: bool = False) -> Content[Document]:
    """Read files as one corpus."""
    texts = [path.read_bytes() for path in paths]
    poems = [Document(path.stem, tuple(text.decode().splitlines())) for path, text in zip(paths, texts, strict=True)]
    return Content(hashlib.sha256(b"".join(texts)).hexdigest(), tuple(poems))


def verse_inputs(corpus: Corpus[Document], maker: PairMaker) -> list[Input]:
    """Lines in pairs."""
    return [item for poem in corpus.items for item in maker.inputs(poem)]


def counts_of(corpus: Corpus[Document], _inputs: Sequence[Input]) -> dict[str, int]:
    """How many poems there are."""
    return {"poems": len(corpus.items)}


VERSE = Kind(
    name="verse",
    noun="verse",
    unit="poems",
    counted={"poems": "poems"},
    form=Form.TEXT,
    endings=(".verse",),
    recognises=is_verse,
    read=read_verse,
    inputs=verse_inputs,
    counts=counts_of,
)
'''
VERSES = '''"""Poems are read line by line, and no other file is taken for one."""

from generator.corpora.verse import VERSE


def test_a_poem_is_read_line_by_line(tmp_path):
    (tmp_path / "river.verse").write_text("Where did it go?\\nNobody knew.\\n")
    (poem,) = VERSE.read("river", [tmp_path / "river.verse"]).items
    assert (poem.id, poem.paragraphs) == ("river", ("Where did it go?", "Nobody knew."))


def test_other_files_are_no_poems(tmp_path):
    assert not VERSE.recognises(tmp_path / "river.txt")
'''
POEM = "Where did the river carry\nThe boat that we left behind?\n"
CLAIM = '''"""A claim made for a test."""

from generator.claims.claim import Claim, part
from generator.claims.cutoffs import SEED

Z01 = Claim(
    id="Z01",
    title="Heads are narrow",
    statement="Most heads look at less than everything.",
    paper="Nobody 2026",
    section="1",
    measure="Share of heads that are narrower than uniform attention by a tenth of a nat; random weights are not.",
    needs="text that the model can read",
    parts=(
        part(
            "Z01.1",
            "the share of heads that are narrower than uniform attention",
            "share",
            lambda evidence: evidence.share_of_heads(["narrowness"], lambda nats: nats > 0.1, SEED),
            over="heads",
        ),
    ),
    measures=("narrowness",),
    which="narrower than uniform attention",
)

CLAIMS = (Z01,)
'''
BOUND = """
[[Z01.1]]
set = 2026-11-22
bounds = "above 0.5"
why = "Most is more than half."
"""
CASES = '''"""The same as in `clark`, for a claim made for a test."""

from tests.claims.cases.clark import MANY, NAN
from tests.claims.made import heads_at, text


def narrow(heads):
    """So many of 24 heads are narrower than uniform attention."""
    return [text({"narrowness": heads_at(*MANY[:heads], value=0.5, other=0.0)})]


CASES = {
    "Z01": {
        "holds": narrow(24),
        "holds, just": narrow(17),
        "fails": narrow(0),
        "fails, just": narrow(7),
        "inconclusive": narrow(12),
        "not testable": [text({"narrowness": NAN})],
    },
}
'''
CHART = '''"""Dots along a line."""

import altair as alt

from generator.charts.parts import DATA, colour_params


def dots() -> alt.TopLevelMixin:
    """One dot per row. Columns: layer, value. Signals: none."""
    x, y = alt.X("layer:O", title="layer"), alt.Y("value:Q", title="nats")
    return alt.Chart(DATA, width="container").mark_point().encode(x=x, y=y).add_params(*colour_params())
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
        data=embed({"shared": {}, "views": [{"columns": {"layer": list(numbered), "value": as_stored(layers)}}]}),
        caption="Means over heads.",
        table=Table(("layer", "nats"), tuple(zip(map(str, numbered), map(number, layers), strict=True))),
    )
    return Section("narrow", "How narrow", (f"The embedding has {held.item():.0f} parameters.", figure))
'''
SEEN = """

def test_a_section_made_for_a_test_draws_every_layer(full: Atlas) -> None:
    columns = json.loads(block(phases_page(full), "narrow", Figure).data)["views"][0]["columns"]
    assert columns["layer"] == [1, 2, 3]
    assert len(columns["value"]) == 3
"""
CLAIMS, CHARTS = "generator/claims/all.py", "generator/charts/compile.py"
PAGE, MEASURES = "generator/topics/layers/page/phases/page.py", "generator/measures/__init__.py"
TOKENS, KINDS = "generator/topics/tokens", "generator/corpora/kinds.py"

ADDITIONS = {
    "Add a measure": (
        ("generator/measures/narrowness.py", "", MEASURE),
        (MEASURES, "from generator.measures.norms", "from generator.measures.narrowness import NARROWNESS\n"),
        (MEASURES, "    PATTERN,\n)", "    NARROWNESS,\n"),
        ("tests/slow.py", '        "sink.mass": ', DERIVATION),
    ),
    "Add a number to a study": (
        (f"{TOKENS}/records/tokens.py", '        count(\n            name="embedding.width"', QUANTITY),
        (f"{TOKENS}/compute/model_facts.py", "    except NotImpl", NUMBER),
        ("tests/studies/test_texts.py", '        "embedding.width": width', EXPECTED),
    ),
    "Add a kind of corpus": (
        ("generator/corpora/verse.py", "", KIND),
        (KINDS, "\nTASK = ", "from generator.corpora.verse import VERSE\n"),
        (KINDS, "    TASK,\n)", "    VERSE,\n"),
        ("tests/corpora/test_verse.py", "", VERSES),
    ),
    "Add a claim": (
        ("generator/claims/others/narrow.py", "", CLAIM),
        (CLAIMS, "\nfrom generator.topics import", ", narrow"),
        (CLAIMS, "introductions)", "narrow, "),
        ("data/claims/bounds.toml", "", BOUND),
        ("tests/claims/cases/narrow.py", "", CASES),
    ),
    "Add a chart": (
        ("generator/charts/dots.py", "", CHART),
        (CHARTS, "from generator.charts.parts", "from generator.charts.dots import dots\n"),
        (CHARTS, '        "curves": grid', '        "dots": dots,\n'),
    ),
    "Add a section to a page": (
        (PAGE, "", SECTION),
        (PAGE, "Note, Section, Sections, opening", "Figure, "),
        (PAGE, "opening, present\nfrom", "Table, "),
        (PAGE, "from generator.pages.heads.atlas", "from generator.pages.figures import as_stored, embed\n"),
        (PAGE, "            *layer_curves(", "            made_for_a_test(atlas),\n"),
        ("tests/topics/layers/page/phases/test_page.py", "", SEEN),
    ),
}
"""Heading of the guide -> edits: a file, what the new text stands before ("" at the file's end), the new text."""
