"""What lies around the results ends in one sentence, too: pages and sources that are not UTF-8, folders that cannot be
written, a terminal without letters, and whatever is long.
"""

import os
import subprocess
import sys

import pytest

from generator.errors import MOST_QUOTED, SiteError, reason
from generator.files import text_of
from tests.cli.command import ROOT, fieldguide
from tests.limits import SECONDS
from tests.test_pipeline import write_project

LATIN = "@book{a,\n author = {José},\n year = {2019},\n}\n".encode("latin-1")


@pytest.fixture
def project(tmp_path):
    """A guide that has no model yet: what lies around results is read without any, too."""
    config = write_project(tmp_path / "guide", [])
    config.write_text("also = []\n")
    return config


def refused(*words: object) -> str:
    """The one line in which a command ends."""
    outcome = fieldguide(*words)
    assert outcome.exit == 1, outcome
    line = outcome.err.splitlines()[-1]
    assert line.startswith("Error: Expected ")
    return line


def test_sources_that_are_not_utf8_are_named_with_their_line(project):
    path = project.parent / "docs" / "references.bib"
    path.write_bytes(LATIN)
    said = f"Expected UTF-8 text in {path}, line 2, found byte 0xe9; save it as UTF-8."
    assert said.rstrip(".") in refused("build", "--config", project)
    assert said in refused("export", project.parent / "out", "--config", project)


def test_a_page_that_is_not_utf8_is_named(project):
    (project.parent / "docs" / "note.md").write_bytes(b"# Note\n\nJos\xe9.\n")
    assert "note.md" in refused("build", "--config", project)
    line = refused("export", project.parent / "out", "--config", project)
    assert f"UTF-8 text in {project.parent / 'docs' / 'note.md'}, line 3, found byte 0xe9" in line


def test_an_export_onto_a_file_is_refused(project):
    path = project.parent / "out"
    path.write_text("mine")
    assert f"found a file at {path}" in refused("export", path, "--config", project)
    assert path.read_text() == "mine"
    below = path / "deeper"
    assert str(path) in refused("export", below, "--config", project)


def test_an_export_to_where_nothing_can_be_made_names_the_place(project):
    line = refused("export", "/proc/fieldguide", "--config", project)
    assert "Expected to write /proc/fieldguide" in line
    assert line.endswith("name a folder in which files can be made, with space for them.")


def test_without_a_locale_letters_are_codes_and_names_of_files_are_refused_in_a_sentence(tmp_path):
    def run(*words: str) -> subprocess.CompletedProcess[bytes]:
        here = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "generator", *words]
        return subprocess.run(command, cwd=tmp_path, env=here, capture_output=True, timeout=SECONDS, check=False)

    (tmp_path / "fieldguide.toml").write_text('results = "é"\n', encoding="utf-8")
    told = run("claims")
    assert (told.returncode, b"Traceback" in told.stderr) == (1, False), told.stderr
    assert told.stderr.startswith(b"Error: Expected ")
    helped = run("--help")
    assert (helped.returncode, helped.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("name", "locale", "said"),
    [
        (
            "café.md".encode(),
            {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
            r"caf\xe9.md in a locale with",
        ),
        (
            b"caf\xe9.md",
            {"LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "utf-8"},
            "caf\N{REPLACEMENT CHARACTER}.md; rename it.",
        ),
    ],
    ids=["the locale has no such letters", "no text"],
)
def test_a_page_whose_name_cannot_be_read_is_named(project, name, locale, said):
    """In a process of its own: what pytest would capture of it cannot be handed on as text."""
    docs = project.parent / "docs"
    (docs / os.fsdecode(name)).write_text("# Coffee\n")
    command = [sys.executable, "-m", "generator", "build", "--config", str(project)]
    here = os.environ | locale | {"PYTHONPATH": str(ROOT)}
    told = subprocess.run(command, env=here, capture_output=True, timeout=SECONDS, check=False)
    assert told.returncode == 1
    assert f"Expected names of files in UTF-8, found {docs}/{said}" in told.stderr.decode()


@pytest.mark.parametrize("sign", ["'", '"'])
@pytest.mark.parametrize(("length", "cut"), [(MOST_QUOTED, False), (MOST_QUOTED + 1, True), (100_000, True)])
def test_a_message_quotes_no_more_than_a_person_reads(sign, length, cut):
    text = f"Expected the model's name in 'a.txt', found {sign}{'x' * length}{sign} in line 3; 'shorten' it."
    shown = f"{'x' * MOST_QUOTED}…" if cut else "x" * length
    assert str(SiteError(text)) == text.replace("x" * length, shown)
    assert reason(ValueError("x" * length)) == shown


ONES = ", ".join(["1"] * 5000)


@pytest.mark.parametrize(
    ("found", "shown"),
    [
        ("x" * 3000, f"{'x' * 150}…{'x' * 47}"),
        (f"/{'d' * 99}" * 33 + "/x.txt", "/x.txt;"),
        (f"[{ONES}]", ", 1, 1…]; "),
        (f"[[{ONES}], [{ONES}]]", "…]; "),
        (f"{{'a': [{ONES}]}}", ", 1, 1…}; "),
        ("[" * 3000, "[…["),
        (f"'{'x' * 3000}'", "xx…';"),
    ],
)
def test_a_message_is_no_longer_than_a_person_reads_whatever_it_found(found, shown):
    said = str(SiteError(f"Expected a list in [analysis] of 'a.toml', found {found}; correct it."))
    assert len(said) < 300
    assert said.startswith("Expected a list in [analysis] of 'a.toml', found ")
    assert shown in said
    assert said.endswith("; correct it.")
    assert str(SiteError(said)) == said


@pytest.mark.parametrize("found", ["x" * MOST_QUOTED, f"'{'x' * MOST_QUOTED}'", f"[{ONES[: MOST_QUOTED - 1]}]"])
def test_what_a_person_reads_stays(found):
    text = f"Expected a list (a sentence{' that goes on' * 40}), found {found}; correct [it]."
    assert str(SiteError(text)) == text


@pytest.mark.parametrize("words", [("why", "m" * 3000, "3-1"), ("remove", "m" * 3000)], ids=lambda words: words[0])
def test_a_command_says_no_more_of_a_long_name_than_a_person_reads(project, words):
    assert len(refused(*words, "--config", project)) < 600 + len(str(project))


def test_a_command_says_no_more_of_a_setting_or_a_path_than_a_person_reads(project):
    project.write_text(f"[analysis]\nmax_tokens = [{ONES}]\n")
    assert len(refused("build", "--config", project)) < 400 + len(str(project))
    # No machine looks for a name as long as this, and each tells the whole of it.
    project.write_text(f"[analysis]\ncorpora = ['{'d' * 3300}']\n[[model]]\nid = 'small-bert'\n")
    assert len(refused("build", "--config", project)) < 400 + len(str(project))


def test_what_stands_between_two_quotations_stays():
    text = f"Expected 'a', found {'many words and ' * 40}'b'; correct the model's files."
    assert str(SiteError(text)) == text


def test_a_file_that_is_a_folder_is_refused_by_name(tmp_path):
    with pytest.raises(SiteError, match=f"^Expected to read {tmp_path}, found: Is a directory; make it readable"):
        text_of(tmp_path, SiteError)
