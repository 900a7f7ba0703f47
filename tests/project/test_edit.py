"""A model comes into the settings file by a path that works there, and keeps its addresses when it leaves."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from generator.config import read_project
from generator.corpora.opening import open_corpora
from generator.errors import ModelError, SettingsError
from generator.project.edit import add, remove
from generator.project.models import located
from generator.results.tables import TABLES
from generator.site.content import Content
from generator.topics.compare.records.names import study
from tests.analysed import PLAIN
from tests.cli.command import write_corpus
from tests.results.altered import altered, renamed, resealed, with_table
from tests.test_pipeline import write_project
from tests.topics.learning.page.courses import Course

GONE = "is no longer in this guide"
SLUG = PLAIN.lower()


@pytest.fixture(scope="module")
def built(plain: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with results of two models: a plain one, and one with a curve of two pages and a comparison."""
    config = write_project(tmp_path_factory.mktemp("edit") / "project", [])
    results = config.parent / "build" / "results"
    renamed(Path(shutil.copytree(plain, results / "other")), "other")
    folder = Path(shutil.copytree(plain, results / plain.name))
    course = Course(layers=3, heads=4).learned()
    for name, rows in (("curves", course.curves), ("rises", course.rises)):
        frame = pd.DataFrame(rows, columns=TABLES[name].names).assign(model=PLAIN)
        pq.write_table(
            pa.Table.from_pandas(frame, schema=TABLES[name], preserve_index=False), folder / f"{name}.parquet"
        )
    with_table(folder, "head_facts", lambda frame: pd.concat([frame, frame[:12].assign(study=study("other").name)]))
    altered(folder, packages={})  # of another version of the program, whose comparisons may have fewer numbers
    return config


@pytest.fixture(scope="module")
def before(built: Path) -> dict[str, str]:
    """Address -> title of all pages that a build of it makes."""
    return pages(built)


@pytest.fixture
def config(built: Path, tmp_path: Path) -> Path:
    """The settings file of a copy of it."""
    return Path(shutil.copytree(built.parent, tmp_path / "project")) / built.name


def pages(config: Path) -> dict[str, str]:
    """Address -> title of all pages that a build makes."""
    made = Content(read_project(config), config.parent / "docs").pages.values()
    return {page.address: page.title for page in made}


def test_a_removed_model_keeps_every_address_that_it_had_and_gets_no_other(
    config: Path, before: dict[str, str]
) -> None:
    of_it = {one for one in before if one.startswith((f"models/{SLUG}/", f"data/{SLUG}", f"compare/{SLUG}"))}
    expected = {"heads/", "numbers/", "curve/", "curve-learned/", "heads/3-4/"}
    assert {f"models/{SLUG}/{one}" for one in expected} | {f"compare/{SLUG}--other/"} <= of_it
    assert f"models/{SLUG}/seeds/" not in of_it
    assert remove(config, PLAIN)
    after = pages(config)
    assert after.keys() == before.keys()
    assert {one for one, title in after.items() if GONE in title} == of_it


def test_an_entry_without_a_list_of_pages_keeps_those_that_every_model_has(
    config: Path, before: dict[str, str]
) -> None:
    with config.open("a") as file:
        file.write(f'[[removed]]\nname = "{PLAIN}"\nslug = "{SLUG}"\nlayers = 3\nheads = 4\n')
    gone = {one for one, title in pages(config).items() if GONE in title}
    assert gone <= before.keys()
    assert len(gone) == 12 + 5


def test_a_model_whose_results_are_damaged_can_be_removed(config: Path) -> None:
    folder = config.parent / "build" / "results" / SLUG
    (folder / "curves.parquet").write_bytes(b"damaged")
    resealed(folder)
    gone = remove(config, PLAIN)
    assert gone
    assert gone.pages == ()
    assert f"models/{SLUG}/heads/3-4/" in pages(config)


@pytest.mark.parametrize(("given", "listed"), [("my-encoder", "../my-encoder"), ("g/inside", "inside")])
def test_a_folder_is_listed_as_the_project_has_to_name_it(
    checkpoint: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str, listed: str
) -> None:
    config = write_project(tmp_path / "g", []).relative_to(tmp_path)
    shutil.copytree(checkpoint("bert"), tmp_path / given)
    monkeypatch.chdir(tmp_path)
    assert add(config, given).id == listed
    monkeypatch.chdir(tmp_path / "g")
    (found,), failed = located(read_project(Path(config.name)))
    assert (found.source.id, failed) == (Path(given).name, {})


@pytest.mark.parametrize(
    ("given", "listed"), [("my.txt", "../my.txt"), ("g/my.txt", "my.txt"), ("articles", "articles")]
)
def test_a_corpus_is_listed_as_the_project_has_to_name_it(
    checkpoint: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str, listed: str
) -> None:
    config = write_project(tmp_path / "g", []).relative_to(tmp_path)
    write_corpus(tmp_path / given, 2)
    monkeypatch.chdir(tmp_path)
    assert add(config, str(checkpoint("bert")), corpora=(given,)).corpora == (listed,)
    monkeypatch.chdir(tmp_path / "g")
    project = read_project(Path(config.name))
    open_corpora(project.analysis(project.models[0]).corpora)


def test_a_folder_has_no_revision(checkpoint: Callable[[str], Path], tmp_path: Path) -> None:
    config = write_project(tmp_path / "g", [])
    before = config.read_text()
    with pytest.raises(ModelError, match=r"Expected no revision for .*, found 'v2'; leave it out"):
        add(config, str(checkpoint("bert")), "v2")
    assert config.read_text() == before


@pytest.mark.parametrize(
    ("name", "what"),
    [("model.safetensors", "whole weights"), ("tokenizer.json", "a tokenizer"), ("config.json", "JSON in")],
)
def test_a_model_with_a_file_that_is_cut_is_not_listed(
    checkpoint: Callable[[str], Path], tmp_path: Path, name: str, what: str
) -> None:
    config = write_project(tmp_path / "g", [])
    before = config.read_text()
    file = Path(shutil.copytree(checkpoint("bert"), tmp_path / "cut")) / name
    file.write_bytes(file.read_bytes()[: file.stat().st_size - 2])
    with pytest.raises(ModelError, match=rf"Expected {what}"):
        add(config, str(tmp_path / "cut"))
    assert config.read_text() == before


def test_a_model_whose_weights_have_other_sizes_is_not_listed(
    checkpoint: Callable[[str], Path], tmp_path: Path
) -> None:
    config = write_project(tmp_path / "g", [])
    file = Path(shutil.copytree(checkpoint("bert"), tmp_path / "other")) / "config.json"
    sizes = json.loads(file.read_text())
    file.write_text(json.dumps(sizes | {"vocab_size": sizes["vocab_size"] + 1}))
    with pytest.raises(ModelError, match=r"found vocab_size \d+ there and .*word_embeddings.weight with"):
        add(config, str(tmp_path / "other"))


def test_models_that_are_not_tables_are_refused_by_the_name_of_the_file(
    checkpoint: Callable[[str], Path], tmp_path: Path
) -> None:
    config = write_project(tmp_path / "g", [])
    config.write_text(f"model = []\n{config.read_text()}")
    folder = shutil.copytree(checkpoint("bert"), tmp_path / "g" / "four")
    with pytest.raises(SettingsError, match=rf"Expected each model in {config} as a table \[\[model\]\], found"):
        add(config, str(folder))


def test_a_blank_line_stands_before_each_table(checkpoint: Callable[[str], Path], tmp_path: Path) -> None:
    config = write_project(tmp_path / "g", [])
    began = f"{config.read_text()}\n# The first.\n"
    models = ['[[model]]\nid = "one"\n', '[[model]]\nid = "two"\n', '[[model]]\nid = "three"\n']
    config.write_text(began + "\n".join(models))
    folder = shutil.copytree(checkpoint("bert"), tmp_path / "g" / "four")
    add(config, str(folder))
    remove(config, "two")
    assert config.read_text() == began + "\n".join([models[0], models[2], '[[model]]\nid = "four"\n'])


def test_a_link_in_the_place_of_the_settings_file_is_followed(
    checkpoint: Callable[[str], Path], tmp_path: Path
) -> None:
    config, far = write_project(tmp_path / "g", []), tmp_path / "kept.toml"
    config.rename(far)
    config.symlink_to(far)
    before = far.read_text()
    add(config, str(shutil.copytree(checkpoint("bert"), tmp_path / "g" / "four")))
    assert (config.readlink(), read_project(config).names) == (far, ("four",))
    remove(config, "four")
    assert (config.readlink(), far.read_text().strip()) == (far, before.strip())
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["kept.toml"]
