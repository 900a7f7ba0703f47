"""Makes the folder of a new guide: settings, hand-written pages, and the files for automatic rebuilds."""

import shutil
from pathlib import Path

from generator.errors import SettingsError
from generator.home import HOME
from generator.project.program import Program, write

OWN = "what-it-took.md"
"""A page that a new guide does not get: it is about models that come with the program."""
SETTINGS = """# What `fieldguide build` analyses and shows; docs/reproduce.md has every key.
results = "build/results"
also = [] # further folders of results, which are shown whole

[analysis]
corpora = ["articles", "treebank"]
"""
IGNORED = "/build/\n/site/\n"
OURS = ("bench.yml", "release.yml", "test.yml")
"""Workflows of the program itself, which a new guide does not get."""
COPIED = (".github", "constraints.txt")
"""Files that a rebuild in a workflow needs."""


def init(folder: Path, program: Program | None) -> None:
    """Make the folder of a guide without models, with a workflow that installs the program, if that is given. Raises
    SettingsError if it has files in it or cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(path.name != ".git" for path in folder.iterdir()):
            raise SettingsError(f"Expected a new or empty folder, found files in {folder}; name another.")
        shutil.copytree(HOME / "docs", folder / "docs", ignore=shutil.ignore_patterns(OWN))
        for name in COPIED if program else ():
            source = HOME / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns(*OURS))
            else:
                shutil.copy(source, folder / name)
        if program:
            write(program, folder)
        lines = (HOME / "mkdocs.yml").read_text(encoding="utf-8").splitlines(keepends=True)
        (folder / "mkdocs.yml").write_text("".join(line for line in lines if OWN not in line), encoding="utf-8")
        (folder / "fieldguide.toml").write_text(SETTINGS, encoding="utf-8")
        (folder / ".gitignore").write_text(IGNORED, encoding="utf-8")
    except OSError as error:
        raise SettingsError(
            f"Expected to write the guide in {folder}, found: {error.strerror}; name another folder."
        ) from None
