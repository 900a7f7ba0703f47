"""`make bench`: how fast, how small, as ratios measured within one run, because machines are shared and noisy.

Each line says what was measured, the ratio or size, and the bound it must stay under. Nothing here is a test.
"""

import gzip
import json
import multiprocessing
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import torch

from generator.attention.anatomy import examine, forward
from generator.attention.batches import batches, token_table
from generator.attention.primitives import RowSums, attend_observed
from generator.attention.seam import NAME
from generator.attention.stream import BATCH_TOKENS, Options, observe
from generator.attention.words import word_maps
from generator.corpora.classes import TokenClass
from generator.corpora.opening import open_corpora
from generator.corpora.pairs import Input, PairMaker
from generator.corpora.treebank import Sentence
from generator.home import TEMPLATES
from generator.pages.claims.tables import Ledger
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.page import head_page
from generator.pages.heads.studies import HeadStudies
from generator.pages.render import pages
from generator.pages.renderer import Renderer
from generator.results.store import find
from generator.site.build import build_site
from generator.studies.distances.divergence import pairwise
from generator.studies.syntax.predictions import predict
from tests import clark
from tests.bench_disabling import BOUND, sweep_ratios
from tests.encoders import loaded

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "build" / "results" / "all-minilm-l6-v2"
ROUNDS = 9
BUILDS = 5
LONG = 4096


def main() -> None:
    """Print every line."""
    _streaming()
    _dependencies()
    _disabling()
    _memory()
    _pages()
    _help()


def _help() -> None:
    """What `fieldguide --help` costs beside a Python that does nothing, in pairs."""
    ratios = []
    for _ in range(ROUNDS):
        nothing, helped = (
            _cpu_of([sys.executable, *words]) for words in (["-c", "pass"], ["-m", "generator", "--help"])
        )
        ratios.append(helped / nothing)
    _line("fieldguide --help / python -c pass, CPU time", f"{statistics.median(ratios):.1f}", "at most 8")


def _cpu_of(command: list[str]) -> float:
    """Seconds of a processor that a command takes, its start included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _disabling() -> None:
    """Every head and layer made uniform, replayed from the first layer touched, against full forward passes."""
    ratios = sweep_ratios()
    found = f"{statistics.median(ratios):.2f}"
    _line("disabling every head and layer / naive sweep, CPU time", found, f"at most {BOUND:.3f}")


def _line(what: str, found: str, bound: str) -> None:
    print(f"{what:<66} {found:>10}   {bound}", flush=True)


def _cpu(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _streaming() -> None:
    """All measures in one pass against an eager forward that keeps nothing, on the same inputs and batches."""
    encoder = loaded("all-MiniLM-L6-v2")
    anatomy = examine(encoder)
    maker = PairMaker(encoder.tokenizer, 128)
    inputs = [item for document in open_corpora(["articles"]).all[0].items for item in maker.inputs(document)][:64]

    def bare() -> None:
        encoder.model.set_attn_implementation("eager")
        for batch in batches(inputs, BATCH_TOKENS["cpu"], encoder.pad):
            forward(encoder, batch)

    def ours() -> None:
        encoder.model.set_attn_implementation(NAME)
        for _ in observe(encoder, anatomy, inputs):
            pass

    kept = [seen.weights for seen in observe(encoder, anatomy, inputs, Options(keep_weights=True))]

    def divergence() -> None:
        for weights in kept:
            pairwise(weights)

    def theirs() -> None:
        """Extraction and analysis of Clark et al., on the same batches in float32."""
        encoder.model.set_attn_implementation("eager")
        for batch in batches(inputs, BATCH_TOKENS["cpu"], encoder.pad):
            forward(encoder, batch, output_attentions=True)
        for item, maps in zip(sorted(inputs, key=len, reverse=True), kept, strict=True):
            at = {kind: [i for i, found in enumerate(item.classes) if found is kind] for kind in TokenClass}
            clark.averages(maps, at[TokenClass.BEGIN], at[TokenClass.SEPARATOR], at[TokenClass.PUNCTUATION])
            clark.entropies(maps)
            clark.divergences(maps)

    bare(), ours(), divergence()
    rounds = [(_cpu(bare), _cpu(ours), _cpu(divergence)) for _ in range(ROUNDS)]
    passes = [watched / plain for plain, watched, _ in rounds]
    distances = [apart / plain for plain, _, apart in rounds]
    _line("one pass with all measures / bare eager forward, CPU time", _median(passes), "at most 1.15")
    _line(f"  least and most of {ROUNDS} rounds", f"{min(passes):.2f}-{max(passes):.2f}", "")
    _line("divergence of all pairs of heads / bare eager forward", _median(distances), "at most 0.30")
    whole = _cpu(theirs) / min(watched + apart for _, watched, apart in rounds)
    _line("Clark et al.'s formulas in numpy / ours, one round", f"{whole:.1f}", "at least 5")


def _median(ratios: list[float]) -> str:
    return f"{statistics.median(ratios):.2f}"


def _dependencies() -> None:
    """From maps to the word that every head picks, for the sentences of the embedded treebank."""
    encoder = loaded("all-MiniLM-L6-v2")
    maker = PairMaker(encoder.tokenizer, 128)
    made = [maker.words(one.id, [word.form for word in one.words]) for one in _sentences()]
    items = {item.input.document: item for item in made if item is not None}
    seen = list(observe(encoder, examine(encoder), [i.input for i in items.values()], Options(keep_weights=True)))
    pairs = [(one.weights, items[one.input.document]) for one in seen]

    def ours() -> None:
        for weights, item in pairs:
            predict(word_maps(weights, item).weights)

    def theirs() -> None:
        for weights, item in pairs:
            clark.dependency_picks(weights, np.split(item.pieces, item.starts[1:]))

    ours()
    taken = min(_cpu(ours) for _ in range(ROUNDS))
    _line("dependency scores of a sentence, 72 heads", f"{taken / len(pairs) * 1000:.2f} ms", "at most 1 ms")
    _line("  Clark et al.'s formulas in numpy / ours", f"{_cpu(theirs) / taken:.1f}", "")


def _sentences() -> tuple[Sentence, ...]:
    return open_corpora(["treebank"]).all[0].items


def _memory() -> None:
    """Peak memory of one layer of 12 heads of size 64: attention with all measures, tiled and eager."""
    tiled, eager = _peak(_tiled), _peak(_eager)
    _line(f"memory of one layer at {LONG} tokens, tiled / eager, both measured", f"1/{eager / tiled:.0f}", "")
    _line("  tiled, eager", f"{tiled:.0f}, {eager:.0f} MB", "")


def _long() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, RowSums]:
    torch.manual_seed(0)
    query, key, value = torch.randn(3, 1, 12, LONG, 64)
    half = LONG // 2
    classes = (TokenClass.BEGIN,) + (TokenClass.OTHER,) * (LONG - 1)
    item = Input("long", 1, (5,) * LONG, (0,) * half + (1,) * half, classes)
    return query, key, value, RowSums(token_table(item, torch.device("cpu")))


def _tiled() -> None:
    query, key, value, sums = _long()
    attend_observed(query, key, value, None, 0.125, sums, keep=False)
    sums.finish(None)


def _eager() -> None:
    query, key, value, sums = _long()
    weights = torch.softmax(torch.matmul(query, key.transpose(-1, -2)) * 0.125, dim=-1)
    sums.add(weights, value, 0)
    sums.finish(None)


def _peak(work: Callable[[], None]) -> float:
    """Megabytes that a fresh process needs at most beyond what it held before the work; Linux only."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(_grown, work).result()


def _grown(work: Callable[[], None]) -> float:
    torch.set_num_threads(1)
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    before = _status("VmRSS")
    work()
    return (_status("VmHWM") - before) / 1024


def _status(field: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field))


def _pages() -> None:
    """What a head and a model more cost: sites of one and of six models, and the bytes of what a reader is sent.

    A head page costs what rendering it costs, and what MkDocs needs for a page; the rest of a model is its verdicts,
    its studies and its atlas.
    """
    if not RESULTS.is_dir():
        raise SystemExit(f"Expected results in {RESULTS}, found none; run `make site` first.")
    memory = Path("/dev/shm")  # making a file costs what the disk costs
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        projects = {models: Path(folder) / f"{models}" for models in (1, 6)}
        for models, project in projects.items():
            _project(project, models)
        build_site(projects[1] / "mkdocs.yml", [])  # also compiles the charts
        built: dict[int, list[float]] = {1: [], 6: []}
        listed: dict[int, list[float]] = {1: [], 6: []}
        rendered = []
        for _ in range(BUILDS):
            for models, project in projects.items():
                built[models].append(_cpu(partial(build_site, project / "mkdocs.yml", [], force=True)))
                listed[models].append(_cpu(partial(_listed, project)))
            rendered.append(_head_pages(projects[1]))
        apart = {models: min(built[models]) - min(listed[models]) for models in projects}
        published = (apart[6] - apart[1]) / (_listed(projects[6]) - _listed(projects[1]))
        head = f"{(min(rendered) + published) * 1000:.1f} ms"
        _line(f"one head page more, CPU time, least of {BUILDS} builds", head, "at most 3 ms")
        _line("  rendered, published by MkDocs", f"{min(rendered) * 1000:.1f}, {published * 1000:.1f} ms", "")
        _line("one model more, with its 72 heads", f"{(min(built[6]) - min(built[1])) / 5:.2f} s", "")
        site = Path(folder) / "6" / "site"
        page = site / "models" / "all-minilm-l6-v2" / "heads" / "1-1" / "index.html"
        _line("head page, HTML", f"{page.stat().st_size / 1000:.1f} KB", "at most 40 KB")
        _line("head page, gzipped", f"{_zipped(page) / 1000:.1f} KB", "at most 15 KB")
        first = [page, *site.glob("assets/fieldguide/*"), *site.glob("assets/javascripts/bundle*.js")]
        first += site.glob("assets/stylesheets/*.css")
        _line("first visit with charts, gzipped", f"{sum(map(_zipped, first)) / 1000:.0f} KB", "at most 400 KB")
        index = site / "search" / "search_index.json"
        _line("search index of six models", f"{index.stat().st_size / 1000:.0f} KB", "1000 KB for ten")


def _listed(project: Path) -> int:
    """Make every generated page, as the plugin does; gives their number."""
    results = find([project / "build" / "results"])
    return len(list(pages(results, Ledger.of(results), Renderer(TEMPLATES), {})))


def _head_pages(project: Path) -> float:
    """Seconds that one page of a head takes to be rendered."""
    atlas = Atlas(find([project / "build" / "results"])[0])
    renderer, studies = Renderer(TEMPLATES), HeadStudies(atlas)
    renderer.render("head.html", head_page(atlas, studies, 1, 1))  # reads the tables and compiles the template

    def render() -> None:
        for place in atlas.places:
            renderer.render("head.html", head_page(atlas, studies, *place))

    return _cpu(render) / len(atlas.places)


def _project(folder: Path, models: int) -> None:
    shutil.copytree(ROOT / "docs", folder / "docs")
    shutil.copy(ROOT / "mkdocs.yml", folder)
    for number in range(models):
        target = folder / "build" / "results" / f"{RESULTS.name}{'-' + str(number) if number else ''}"
        shutil.copytree(RESULTS, target)
        manifest = json.loads((target / "manifest.json").read_text())
        (target / "manifest.json").write_text(json.dumps(manifest | {"slug": target.name, "model": target.name}))


def _zipped(path: Path) -> int:
    return len(gzip.compress(path.read_bytes()))


if __name__ == "__main__":
    main()
