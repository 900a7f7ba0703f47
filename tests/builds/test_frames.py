"""Pages outside the menu are put into frames that the theme makes once, and are what MkDocs would make of each."""

import json
import shutil
from pathlib import Path

from generator.site.build import build_site
from tests.reports import Strict
from tests.results.altered import renamed
from tests.results.samples import contents
from tests.test_pipeline import ADDRESSED, write_project

HOOK = """seen = []
def on_post_page(output, page, config):
    seen.append(page.url)
    return output
def on_post_build(config):
    with open("{}", "w") as file:
        file.write(" ".join(seen))
"""
"""Wants to see each page, and changes none."""
FOOTER = (
    "<footer>{% if '/heads/' in page.url %}of {{ page.url.split('/')[1] }}"
    "{% else %}at {{ page.url }}{% endif %}</footer>"
)
"""What is said of each page: of which model a head is, and where any other page stands."""
HEADS = ("models/tiny-bert/heads/1-1/", "models/tiny-bert/heads/1-2/", "models/tiny-bert/heads/2-1/")
OTHERS = (
    *(
        "models/tiny-bert/",
        "models/other/",
        "models/tiny-bert/roles/",
        "models/tiny-bert/phases/",
        "models/other/roles/",
    ),
    *("models/other/relations/", "claims/c01/", "claims/c02/", "methods/attention.cls/"),
)
INDEX = "search/search_index.json"


def built(root: Path, plain: Path, mkdocs: str) -> dict[str, bytes]:
    """The site of one model; the packed sitemap holds the time, and the search lists pages in the order it saw."""
    write_project(root, [])
    (root / "mkdocs.yml").write_text(mkdocs)
    shutil.copytree(plain, root / "build" / "results" / plain.name)
    build_site(root / "mkdocs.yml", [root / "build" / "results"], Strict())
    return {name: body for name, body in contents(root / "site").items() if name != "sitemap.xml.gz"}


def listed(site: dict[str, bytes]) -> list[str]:
    """What the search has, whatever the order."""
    site.pop(INDEX.replace(".json", ".js"))
    return sorted(map(str, json.loads(site.pop(INDEX))["docs"]))


def test_a_framed_page_is_what_mkdocs_makes_of_it_and_a_hook_of_the_user_sees_every_page(tmp_path, plain):
    hook, seen = tmp_path / "hook.py", tmp_path / "seen"
    hook.write_text(HOOK.format(seen))
    framed, one_by_one = (
        built(tmp_path / name, plain, ADDRESSED + more)
        for name, more in (("framed", ""), ("hooked", f"hooks: [{hook}]\n"))
    )
    assert {*HEADS, "claims/c01/", "methods/"} <= set(seen.read_text().split())
    assert listed(framed) == listed(one_by_one)
    assert framed.keys() == one_by_one.keys()
    assert [name for name in framed if framed[name] != one_by_one[name]] == []


def test_a_theme_that_says_where_a_page_stands_or_of_which_model_it_is_says_it_of_each(tmp_path, plain):
    theme = tmp_path / "theme"
    (theme / "partials").mkdir(parents=True)
    (theme / "partials" / "footer.html").write_text(FOOTER)
    other = renamed(Path(shutil.copytree(plain, tmp_path / "project" / "build" / "results" / "other")), "other")
    site = built(
        tmp_path / "project", plain, ADDRESSED.replace("name: material", f"name: material, custom_dir: {theme}")
    )
    told = {head.replace("tiny-bert", name): f"of {name}" for head in HEADS for name in ("tiny-bert", other.name)}
    told |= {address: f"at {address}" for address in OTHERS}
    for address, said in told.items():
        assert f"<footer>{said}</footer>" in site[f"{address}index.html"].decode()
