"""Corpora known by name."""

import hashlib
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from generator.corpora.languages import ENGLISH, GERMAN, KOREAN, NAMES
from generator.home import DATA

NO_NUMBER = "Corpora are compared by content."

FOLDER = "FIELDGUIDE_DATA"
"""The environment variable with the folder of public corpora, which has one folder for each; none comes with the
program.
"""


@dataclass(frozen=True)
class CorpusEntry:
    """Text that comes with the program, or a public corpus and where to get it."""

    name: str
    title: str
    """What it is, for the page of a model that read it."""
    licence: str
    language: str
    """ISO 639 code of what it is written in."""
    files: tuple[Path, ...]
    """Relative paths lie in the folder that FIELDGUIDE_DATA names."""
    sha256: tuple[str, ...] = ()
    """Checksums of the public files, one for each."""
    source: str = ""
    """Where a public corpus is published."""

    @property
    def paths(self) -> tuple[Path, ...]:
        """Where its files should be on this machine."""
        return tuple(Path(os.environ.get(FOLDER, "data")) / file for file in self.files)  # absolute ones stay

    @property
    def checksum(self) -> str:
        """The checksum of its files as they lie on this machine, one after the other: that of a treebank in results."""
        return hashlib.sha256(b"".join(path.read_bytes() for path in self.paths)).hexdigest()


def _treebank(language: str, folder: str, licence: str, parts: dict[str, str]) -> tuple[CorpusEntry, ...]:
    """The parts of one Universal Dependencies treebank: file name -> checksum."""
    repository = f"UniversalDependencies/UD_{NAMES[language]}-{folder.rpartition('-')[2].upper()}"
    return tuple(
        CorpusEntry(
            name=f"{folder}-{file.partition('-ud-')[2].partition('.')[0]}",
            title=f"Universal Dependencies, {NAMES[language]} {folder.rpartition('-')[2].upper()}",
            licence=licence,
            language=language,
            files=(Path(folder) / file,),
            sha256=(checksum,),
            source=f"https://github.com/{repository}",
        )
        for file, checksum in parts.items()
    )


ARTICLES = CorpusEntry(
    name="articles",
    title="Articles written for this project, in five registers",
    licence="MIT",
    language=ENGLISH,
    files=tuple(
        DATA / "corpora" / "articles" / f"{register}.txt"
        for register in ("dialogue", "encyclopaedic", "instructions", "narrative", "news")
    ),
)
TOPICS = (
    "family",
    "farm",
    "garden",
    "harbor",
    "history",
    "hospital",
    "household",
    "market",
    "museum",
    "music",
    "nature",
    "office",
    "restaurant",
    "school",
    "sports",
    "theater",
    "travel",
    "weather",
    "workshop",
)
"""Files of the project's own treebank, one for each topic."""
TREEBANK = CorpusEntry(
    name="treebank",
    title="Sentences written and annotated for this project in the style of Universal Dependencies",
    licence="MIT",
    language=ENGLISH,
    files=tuple(DATA / "corpora" / "treebank" / f"{topic}.conllu" for topic in TOPICS),
)
QUESTIONS = CorpusEntry(
    name="questions",
    title="Questions about the articles, written for this project",
    licence="MIT",
    language=ENGLISH,
    files=(DATA / "corpora" / "questions" / "questions.toml",),
)
CATALOGUE = (
    ARTICLES,
    TREEBANK,
    QUESTIONS,
    *_treebank(
        ENGLISH,
        "ud-english-ewt",
        "CC BY-SA 4.0",
        {
            "en_ewt-ud-dev.conllu": "531a54ff90d6ab12201c5a50c3e78e6ddac4de69abc4bce5d275d3cd29efe2b6",
            "en_ewt-ud-test.conllu": "e266e515a0a7547657ed3d90d9ba46487d6bd251f27ad4269d4e8a427c8555cd",
        },
    ),
    *_treebank(
        ENGLISH,
        "ud-english-gum",
        "CC BY-NC-SA 4.0",
        {
            "en_gum-ud-dev.conllu.gz": "2b3e896dbf1a3fb4cd713a9b6ab20b5e36584d9c85a98305af93dbeecbadcf0d",
            "en_gum-ud-test.conllu.gz": "3930ce18874ca97d88e5ae920bb3ec271d94185916572be61bc8935bb898e4f9",
        },
    ),
    *_treebank(
        GERMAN,
        "ud-german-gsd",
        "CC BY-SA 4.0",
        {
            "de_gsd-ud-dev.conllu": "00431f2624cbbf66796c097a9303bbc8f8e8ca88ef35c4c5664aa396b2d674c9",
            "de_gsd-ud-test.conllu": "bceb8e867ba3ee7f1449d44fb31538d63a514f07e6763e7d9a5ffe794407bed4",
        },
    ),
    *_treebank(
        KOREAN,
        "ud-korean-gsd",
        "CC BY-SA 4.0",
        {
            "ko_gsd-ud-dev.conllu": "8f7c4e24bbf6db2b0df8007068eb2d56d5ad8a5539360589d0f15a8c17034566",
            "ko_gsd-ud-test.conllu": "3d1df99bda4800235e14bcfd915baf706eafa1a3935a75ffd32420a51e57f5aa",
        },
    ),
    CorpusEntry(
        name="framenet-1.5",
        title="FrameNet 1.5, running text with semantic frames",
        licence="CC BY 3.0",
        language=ENGLISH,
        files=(Path("framenet-1.5/frames.tar.gz"), Path("framenet-1.5/fulltext.tar.gz")),
        sha256=(
            "ac3cb3762ea5a89094972a0cadde8e5b45fc6f77cc20f2b0ba9b55410506d28a",
            "45c623d989a83325fd33462f0498716bd3dfb1cfa3c29e80b6cf804e7ed25f82",
        ),
        source="https://github.com/dasmith/FrameNet-python",
    ),
    CorpusEntry(
        name="srl-up-english-ewt-dev",
        title="Universal Propositions 1.0, English EWT, with PropBank's semantic roles",
        licence="CDLA-Sharing 1.0 for the roles, CC BY-SA 4.0 for the treebank",
        language=ENGLISH,
        files=(Path("srl-up-english-ewt/en_ewt-up-dev.conllu"),),
        sha256=("70588297850e6ce287d220dc1c24f4511268eb7c9000b9aa93ab9d2a56224c6a",),
        source="https://github.com/UniversalPropositions/UP-1.0",
    ),
)


def is_own(name: str, sha256: str) -> bool:
    """Whether a corpus of this name and checksum is the treebank that was written for this project: its sentences are
    simple, so it decides nothing against texts that were not.
    """
    return name == TREEBANK.name and sha256 == _shipped()


@cache
def _shipped() -> str:
    return TREEBANK.checksum
