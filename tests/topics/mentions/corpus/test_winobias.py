"""Sentences of WinoBias: the two occupations, the pronoun, and who it means."""

from collections.abc import Callable
from pathlib import Path

import pytest

from generator.corpora.opening import open_corpora
from generator.errors import CorpusError
from generator.topics.mentions.corpus.coreference import CorefDocument
from generator.topics.mentions.corpus.mentions import MENTIONS
from generator.topics.mentions.corpus.winobias import read_winobias

SENTENCES = (
    "1 [The construction worker] thanked the cook because [she] was hungry.",
    "2 The construction worker thanked [the cook] because [his] soup, she says, was hot.",
)
NAME = "pro_stereotyped_type1.txt.test"


def written(folder: Path, *lines: str, name: str = NAME) -> Path:
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def people(document: CorefDocument) -> dict[str, str]:
    """The words of each mention -> the entity."""
    return {" ".join(document.words[one.start : one.end]): one.entity for one in document.mentions}


def test_an_occupation_without_brackets_is_a_candidate_beside_the_one_that_is_meant(tmp_path: Path) -> None:
    first, second = read_winobias("w", [written(tmp_path, *SENTENCES)]).items
    assert (first.id, second.id) == (f"{NAME}-1", f"{NAME}-2")
    assert " ".join(first.words) == "The construction worker thanked the cook because she was hungry ."
    assert people(first) == {"The construction worker": "person", "the cook": "other 4", "she": "person"}
    assert people(second) == {"The construction worker": "other 0", "the cook": "person", "his": "person"}
    for document, right in ((first, "worker"), (second, "cook")):
        (pronoun,) = document.scored()
        assert (pronoun.kind, pronoun.features.number, pronoun.features.person) == ("pronoun", "Sing", "3")
        assert [document.words[one.head] for one in document.preceding(pronoun)] == ["worker", "cook"]
        assert [document.words[one.head] for one in document.antecedents(pronoun)] == [right]
    assert [document.scored()[0].features.gender for document in (first, second)] == ["Fem", "Masc"]


@pytest.mark.parametrize("marked", ["[the cook]", "the [cook]", "the [ cook]", "the [cook ]", "the [the cook]"])
def test_an_article_belongs_to_its_occupation_wherever_the_brackets_stand(tmp_path: Path, marked: str) -> None:
    line = f"3 The construction worker helped {marked} and thanked [him] himself."
    *_, last = read_winobias("w", [written(tmp_path, *SENTENCES, line)]).items
    assert {"The construction worker", "the cook", "him"} <= people(last).keys()
    assert people(last)["the cook"] == people(last)["him"] == "person"


@pytest.mark.parametrize(
    "line",
    [
        "3 The cook thanked the worker because she was hungry.",
        "3 [The cook] thanked the worker because she was hungry.",
        "3 The cook thanked the worker because [she] was hungry.",
        "3 [The coo]k thanked the worker because [she] was hungry.",
        "3 [] thanked the cook because [she] was hungry.",
        "[The cook] thanked the worker because [she] was hungry.",
        "3 []",
        "3",
    ],
)
def test_a_line_that_does_not_say_who_is_meant_is_refused_or_left_out(tmp_path: Path, line: str) -> None:
    path = written(tmp_path, *SENTENCES, line)
    with pytest.raises(CorpusError, match=r"^Expected a .* in .*, line 3, found .*; correct the (brackets|line)\.$"):
        read_winobias("w", [path])
    kept = read_winobias("w", [path], skip_bad=True)
    assert (len(kept.items), len(kept.bad)) == (2, 1)


@pytest.mark.parametrize("ending", [".txt.dev", ".txt.test"])
def test_the_ending_of_its_files_says_what_they_are(tmp_path: Path, ending: str) -> None:
    path = written(tmp_path, *SENTENCES, name=f"anti_stereotyped_type2{ending}")
    (corpus,) = open_corpora([str(path)]).all
    assert (corpus.kind, len(corpus.items)) == (MENTIONS, 2)


def test_every_sentence_of_the_published_files_has_two_occupations_before_its_pronoun(
    public: Callable[[str], Path],
) -> None:
    files = sorted(public("coref-winobias").glob("*stereotyped*"))
    assert len(files) == 8
    for path in files:
        documents = read_winobias("w", [path]).items
        assert len(documents) == 396
        first = [document.scored()[0] for document in documents]
        assert all(len(document.preceding(one)) == 2 for document, one in zip(documents, first, strict=True))
        assert all(len(document.antecedents(one)) == 1 for document, one in zip(documents, first, strict=True))
