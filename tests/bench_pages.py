"""What a head and a model more cost a site, and the bytes of what a reader is sent."""

import gzip
import shutil
import tempfile
from functools import partial
from pathlib import Path

from generator.home import TEMPLATES
from generator.pages.claims.tables import Ledger
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.page import head_page
from generator.pages.heads.studies import HeadStudies
from generator.pages.render import pages
from generator.pages.renderer import Renderer
from generator.results.store import find
from generator.site.build import build_site
from tests.bench_lines import ROOT, cpu, tell
from tests.reports import Silence
from tests.results.altered import renamed

RESULTS = ROOT / "build" / "results" / "all-minilm-l6-v2"
BUILDS = 5


def page_costs() -> None:
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
        build_site(projects[1] / "mkdocs.yml", [], Silence())  # also compiles the charts
        built: dict[int, list[float]] = {1: [], 6: []}
        listed: dict[int, list[float]] = {1: [], 6: []}
        rendered = []
        for _ in range(BUILDS):
            for models, project in projects.items():
                built[models].append(cpu(partial(build_site, project / "mkdocs.yml", [], Silence(), force=True)))
                listed[models].append(cpu(partial(_listed, project)))
            rendered.append(_head_pages(projects[1]))
        apart = {models: min(built[models]) - min(listed[models]) for models in projects}
        published = (apart[6] - apart[1]) / (_listed(projects[6]) - _listed(projects[1]))
        head = f"{(min(rendered) + published) * 1000:.1f} ms"
        tell(f"one head page more, CPU time, least of {BUILDS} builds", head, "at most 3 ms")
        tell("  rendered, published by MkDocs", f"{min(rendered) * 1000:.1f}, {published * 1000:.1f} ms", "")
        tell("one model more, with its 72 heads", f"{(min(built[6]) - min(built[1])) / 5:.2f} s", "")
        site = Path(folder) / "6" / "site"
        page = site / "models" / "all-minilm-l6-v2" / "heads" / "1-1" / "index.html"
        tell("head page, HTML", f"{page.stat().st_size / 1000:.1f} KB", "at most 40 KB")
        tell("head page, gzipped", f"{_zipped(page) / 1000:.1f} KB", "at most 15 KB")
        first = [page, *site.glob("assets/fieldguide/*"), *site.glob("assets/javascripts/bundle*.js")]
        first += site.glob("assets/stylesheets/*.css")
        tell("first visit with charts, gzipped", f"{sum(map(_zipped, first)) / 1000:.0f} KB", "at most 400 KB")
        index = site / "search" / "search_index.json"
        tell("search index of six models", f"{index.stat().st_size / 1000:.0f} KB", "1000 KB for ten")


def _listed(project: Path) -> int:
    """Make every generated page, as the plugin does; gives their number."""
    results = find([project / "build" / "results"])
    return len(list(pages(results, Ledger.of(results), Renderer(TEMPLATES), {})))


def _head_pages(project: Path) -> float:
    """Seconds that one page of a head takes to be rendered."""
    atlas = Atlas(find([project / "build" / "results"])[0])
    renderer, studies = Renderer(TEMPLATES), HeadStudies(atlas)
    renderer.render("page.html", head_page(atlas, studies, 1, 1))  # reads the tables and compiles the template

    def render() -> None:
        for place in atlas.places:
            renderer.render("page.html", head_page(atlas, studies, *place))

    return cpu(render) / len(atlas.places)


def _project(folder: Path, models: int) -> None:
    shutil.copytree(ROOT / "docs", folder / "docs")
    shutil.copy(ROOT / "mkdocs.yml", folder)
    for number in range(models):
        target = folder / "build" / "results" / f"{RESULTS.name}{'-' + str(number) if number else ''}"
        shutil.copytree(RESULTS, target)
        renamed(target, target.name)


def _zipped(path: Path) -> int:
    return len(gzip.compress(path.read_bytes()))
