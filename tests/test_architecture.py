"""Imports point down, nothing is imported in a circle, and every file is short and says what it is for."""

import ast
import re
from collections import Counter
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "generator"
ORDER = (
    *("errors", "limits", "visible", "home", "defaults", "progress", "lock", "cache", "files", "plain", "terminal"),
    *("topics", "corpora", "numbers", "config", "models", "attention", "measures", "quantities", "results", "studies"),
    *("survey", "jobs", "analysis", "claims", "experiments", "charts", "pages", "site"),
    *("project", "ci"),
    *("pipeline", "doctor", "public", "cli", "__main__"),
)
"""Stages from the bottom up; a module may import from its own stage and from those before it."""
LATE = (
    *(f"generator.cli.{name}" for name in ("analyze", "app", "ci", "claims", "guide", "options", "why")),
    *(
        f"generator.topics.{name}.commands"
        for name in ("compare", "learning", "mentions", "quoted", "seeds", "tasks", "variants")
    ),
    "generator.charts.static.vega",
    "generator.pipeline",
    "generator.site.loaded",
    "generator.topics.relations.compute.relations",
)
"""They load what takes long when it is used: the command line, a build that has models to analyse or charts to compile,
and a study that draws twins and whose words claims read.
"""
RECORDS = re.compile(r"generator\.studies\.(.+quantities|declared)")
"""The records of what studies store, a stage of their own among the studies: results are checked against them."""
PARTS = {
    "corpus": "corpora",
    "records": "quantities",
    "derived": "studies",
    "compute": "studies",
    "claims": "claims",
    "run": "experiments",
    "charts": "charts",
    "page": "pages",
    "commands": "cli",
}
"""Part of a topic -> the stage to which it belongs: a topic has a file or a folder of each that it needs."""
LONGEST = 400
PARAMETERS = 8
FILES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted((ROOT / PACKAGE).rglob("*.py"))
    if "_home" not in path.parts
}


class Import(NamedTuple):
    """One first-party module that another one names."""

    target: str
    line: int
    inside: bool
    """Whether the statement stands in a function."""


def test_the_order_names_every_stage():
    assert {_stage(module) for module in FILES} - {PACKAGE} == set(ORDER)


def test_imports_point_down():
    wrong = [
        f"{module}, line {item.line}: {item.target}"
        for module in FILES
        for item in _imports(module)
        if _level(item.target) > _level(module)
    ]
    assert wrong == []


def test_no_module_imports_itself_in_a_circle():
    """Imports inside functions count too; a stage's folder may not hide a circle."""
    graph = {module: {item.target for item in _imports(module)} for module in FILES}
    assert len(list(TopologicalSorter(graph).static_order())) == len(FILES)


@pytest.mark.parametrize(
    ("target", "importers"),
    [
        ("generator.pipeline", {"generator.cli.app", "generator.cli.ci"}),
        ("generator.doctor", {"generator.cli.app"}),
        ("generator.public", set()),
        ("generator.cli.app", {"generator.__main__"}),
        ("generator.__main__", set()),
        ("generator.site.plugin", set()),
    ],
)
def test_who_knows_all_stages_is_known_to_the_command_line_alone(target, importers):
    assert {module for module in FILES if target in {item.target for item in _imports(module)}} == importers


@pytest.mark.parametrize("stage", ["charts", "pages", "site"])
def test_what_shows_results_knows_nothing_of_how_they_are_computed(stage):
    """A site is made from stored results alone; no model is loaded or observed for it."""
    known = {_stage(item.target) for module in FILES if _stage(module) == stage for item in _imports(module)}
    assert known.isdisjoint({"models", "survey", "pipeline"})


def test_imports_stand_at_the_top_where_loading_does_not_take_long():
    inside = [
        f"{module}, line {item.line}: {item.target}"
        for module in FILES
        for item in _imports(module)
        if item.inside and module not in LATE
    ]
    assert inside == []


JUDGING = {"is_found", "is_clear", "CLEAR_GAIN", "MAINLY"}
"""What decides whether something may be said of a head."""
NAMING = {
    "Specialty": {"generator.topics.mentions.page.naming", "generator.topics.relations.page.naming"},
    "Aside": {"generator.topics.relations.page.asides"},
    "Trait": {
        *(f"generator.pages.heads.naming.{name}" for name in ("patterns", "windows")),
        "generator.topics.tasks.page.needed",
    },
    "Summary": {"generator.pages.heads.summary"},
    "Statement": {
        "generator.claims.gate.maps",
        *(
            f"generator.topics.{name}"
            for name in ("mentions.claims.finds", "relations.claims.finds", "tasks.claims.needs")
        ),
    },
}
"""Records of names, and of what is said in the place of one -> the modules that make them."""


def test_a_head_has_its_name_from_the_gate_alone():
    """Pages decide on no name: they put into words what the gate gives, and nothing else makes a name."""
    made = {
        name: {
            module
            for module in FILES
            for node in _nodes(module)
            if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == name
        }
        for name in NAMING
    }
    assert made == NAMING
    titled = {
        module
        for module in FILES
        for node in _nodes(module)
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "_replace"
        if any(keyword.arg == "title" for keyword in node.keywords)
    }
    assert titled == {"generator.pages.heads.summary"}, "a name that was made is not changed elsewhere"
    for module in sorted(set().union(*NAMING.values()) - {"generator.pages.heads.summary"}):
        if _stage(module) == "pages":
            assert any(item.target.startswith("generator.claims.gate") for item in _imports(module)), module
    decide = {
        (module, alias.name)
        for module in FILES
        for node in _nodes(module)
        if isinstance(node, ast.ImportFrom) and node.module == "generator.claims.cutoffs"
        for alias in node.names
        if alias.name in JUDGING and _stage(module) == "pages"
    }
    written = {("generator.pages.heads.summary", "MAINLY")} | {
        (f"generator.pages.heads.naming.{name}", "MAINLY") for name in ("patterns", "windows")
    }
    assert decide == written, "numbers beside a cut-off are written on its side"


@pytest.mark.parametrize("module", LATE)
def test_every_import_inside_a_function_gives_its_reason(module):
    lines = FILES[module].read_text().splitlines()
    inside = [lines[item.line - 1] for item in _imports(module) if item.inside]
    assert inside
    assert [line for line in inside if "# noqa: PLC0415 - " not in line] == []


def test_a_file_opens_with_what_it_is_for():
    assert [module for module in FILES if not (ast.get_docstring(_tree(module)) or "").strip()] == []


def test_a_file_is_shorter_than_400_lines():
    paths = [*FILES.values(), *(ROOT / "tests").rglob("*.py")]
    lines = {path.relative_to(ROOT): len(path.read_text().splitlines()) for path in paths}
    assert {str(path): n for path, n in lines.items() if n >= LONGEST} == {}


def test_a_prefix_shared_by_four_files_is_a_folder():
    shared = Counter(
        (path.parent, path.stem.partition("_")[0]) for path in FILES.values() if "_" in path.stem.strip("_")
    )
    assert {f"{folder.name}/{prefix}_*": n for (folder, prefix), n in shared.items() if n > 3} == {}


def test_a_function_has_at_most_eight_parameters():
    """But those of the command line, whose options are its parameters."""
    long = [
        f"{module}.{node.name}"
        for module in FILES
        for node in _nodes(module)
        if isinstance(node, ast.FunctionDef) and _stage(module) != "cli" and len(_parameters(node)) > PARAMETERS
    ]
    assert long == []


def test_every_public_class_and_function_says_what_it_is():
    public = {module: list(_public(_tree(module))) for module in FILES}
    assert sum(map(len, public.values())) > 2 * len(FILES)
    assert [f"{module}.{node.name}" for module in FILES for node in public[module] if not ast.get_docstring(node)] == []


@pytest.mark.parametrize("library", ["torch", "transformers", "altair", "mkdocs", "pandas", "pydantic", "rich"])
def test_the_bottom_of_the_house_needs_no_heavy_library(library):
    """What `--help` loads."""
    for module in ("generator", "generator.errors", "generator.home", "generator.defaults", "generator.progress"):
        assert library not in _libraries(module)


@pytest.mark.parametrize(
    ("library", "stages"),
    [
        ("altair", {"charts", "public"}),
        ("vl_convert", {"charts"}),
        ("jinja2", {"pages", "site"}),
        ("mkdocs", {"site"}),
        ("click", {"cli"}),
        ("rich", {"terminal"}),
        ("pydantic", {"config", "corpora", "results", "claims", "experiments", "cli"}),
        ("pyarrow", {"results"}),
        ("transformers", {"attention", "models", "experiments"}),
        ("numba", {"numbers"}),
        ("sklearn", {"studies"}),
        ("huggingface_hub", {"models"}),
        ("filelock", {"lock"}),
        ("regex", {"corpora"}),
        ("torch", {"attention", "models", "studies", "experiments", "doctor"}),
    ],
)
def test_a_library_is_known_to_few_stages(library, stages):
    assert {_stage(module) for module in FILES if library in _libraries(module)} <= stages


@cache
def _tree(module):
    return ast.parse(FILES[module].read_text(), str(FILES[module]))


@cache
def _nodes(module):
    return list(ast.walk(_tree(module)))


@cache
def _libraries(module):
    """What a module imports from, packages by their first name."""
    return {name.partition(".")[0] for node in _nodes(module) for name in _names(node)}


@cache
def _imports(module):
    """Every first-party import of a module, inside functions too; a name that is a module counts as that module.

    What the package itself names for type checkers is loaded when it is used, and so is no import.
    """
    if module == PACKAGE:
        return []
    functions = [node for node in _nodes(module) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    deep = {id(node) for function in functions for node in ast.walk(function)}
    return [
        Import(name, node.lineno, id(node) in deep)
        for node in _nodes(module)
        for name in _names(node)
        if name.split(".")[0] == PACKAGE
    ]


def _names(node):
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        assert node.level == 0, "relative imports hide where a name comes from"
        inside = [f"{node.module}.{alias.name}" for alias in node.names]
        return [name if name in FILES else str(node.module) for name in inside]
    return []


def _parameters(function):
    given = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return [one for one in given if one.arg not in {"self", "cls"}]


def _stage(module):
    if RECORDS.fullmatch(module):
        return "quantities"
    if module.startswith("generator.topics.") and module.count(".") > 2:
        return PARTS[module.split(".")[3]]
    return module.split(".")[1] if "." in module else PACKAGE


def _level(module):
    """The package itself holds the version and stands below everything."""
    return ORDER.index(_stage(module)) if "." in module else -1


def _public(holder):
    """Classes and functions whose names are public, but those in a function or in a private class."""
    for node in ast.iter_child_nodes(holder):
        named = isinstance(node, ast.ClassDef | ast.FunctionDef)
        if named and not node.name.startswith("_"):
            yield node
        if not named or (isinstance(node, ast.ClassDef) and not node.name.startswith("_")):
            yield from _public(node)
