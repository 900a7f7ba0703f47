"""Questions about passages: our own, a made-up file of SQuAD, and files that are wrong."""

import hashlib
import json
import re
import tomllib

import pytest

from generator.corpora.catalogue import ARTICLES
from generator.corpora.opening import open_corpora
from generator.corpora.questions import Answer, read_questions
from generator.errors import CorpusError, RowError
from generator.home import DATA

OWN = DATA / "corpora" / "questions" / "questions.toml"
PASSAGE = "Ada met Bo. Bo, who is tall, met Ada."
SQUAD = {
    "version": "1.1",
    "data": [
        {
            "title": "Meetings",
            "paragraphs": [
                {
                    "context": PASSAGE,
                    "qas": [
                        {
                            "id": "1",
                            "question": "  Who is  tall?",
                            "answers": [
                                {"text": "Bo", "answer_start": 12},
                                {"text": "Bo, who is tall", "answer_start": 12},
                                {"text": "Bo", "answer_start": 12},
                            ],
                        }
                    ],
                },
                {
                    "context": "\u00c5 \U0001f600 mid \u00c5",
                    "qas": [{"id": "2", "question": "?", "answers": [{"text": "mid", "answer_start": 4}]}],
                },
            ],
        }
    ],
}
GOOD = {
    "id": "a",
    "article": "encyclopaedic/Salt",
    "paragraph": 4,
    "question": "What was the French salt tax called?",
    "answer": "gabelle",
}


def toml(*questions):
    """Tables of questions as a file has them."""
    tables = ("\n".join(f"{key} = {json.dumps(value)}" for key, value in question.items()) for question in questions)
    return "\n".join(f"[[question]]\n{table}\n" for table in tables)


def paragraphs():
    """Article -> its paragraphs, read off the files by other means."""
    found = {}
    for path in ARTICLES.paths:
        for article in re.split(r"^# ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            name, *blocks = article.strip().split("\n\n")
            found[f"{path.stem}/{name.strip()}"] = [" ".join(block.split()) for block in blocks]
    return found


def test_our_own_questions_have_their_answers_once_in_the_paragraphs_they_name():

    asked = tomllib.loads(OWN.read_text(encoding="utf-8"))["question"]
    (found,) = open_corpora(["questions"]).all
    texts = paragraphs()
    assert (found.name, len(found.items)) == ("questions", 60)
    for given, question in zip(asked, found.items, strict=True):
        passage = texts[given["article"]][given["paragraph"] - 1]
        assert (question.id, question.question, question.passage) == (given["id"], given["question"], passage)
        assert passage.count(given["answer"]) >= 1
        assert [passage[start:end] for start, end in question.answers] == [given["answer"]]
        assert question.question.endswith("?")
    assert len({question.question for question in found.items}) == 60
    assert len({given["article"].partition("/")[0] for given in asked}) == len(ARTICLES.paths)


def test_the_checksum_is_of_the_questions_and_of_the_articles(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(toml(GOOD))
    texts = hashlib.sha256(b"".join(file.read_bytes() for file in ARTICLES.paths)).hexdigest()
    expected = hashlib.sha256(path.read_bytes() + texts.encode()).hexdigest()
    assert read_questions("own", [path]).sha256 == expected
    path.write_text(toml(GOOD | {"id": "b"}))
    assert read_questions("own", [path]).sha256 != expected


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "with a byte order mark"])
def test_a_file_of_squad_is_read_with_every_different_answer(tmp_path, mark):
    path = tmp_path / "dev-v1.1.json"
    path.write_bytes(mark + json.dumps(SQUAD).encode())
    found = read_questions("squad", [path])
    first, second = found.items
    assert (first.id, first.question, first.passage) == ("1", "Who is tall?", PASSAGE)
    assert first.answers == (Answer(12, 14), Answer(12, 27))
    assert [second.passage[start:end] for start, end in second.answers] == ["mid"]
    assert found.sha256 == hashlib.sha256(json.dumps(SQUAD).encode()).hexdigest()


def squad(**changes):
    """The file of SQuAD with another first question."""
    copy = json.loads(json.dumps(SQUAD))
    copy["data"][0]["paragraphs"][0]["qas"][0] |= changes
    return json.dumps(copy)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", "", r"ending in \.toml or \.json"),
        ("a.toml", None, "No such file"),
        ("a.toml", "[[question]\n", "Expected TOML .*line 1"),
        ("a.toml", b"\xff", "Expected TOML"),
        ("a.toml", "[" * 9999, "Expected TOML"),
        ("a.toml", "", "Field required at question"),
        ("a.toml", "question = []", "found none"),
        ("a.toml", toml(GOOD, {"id": "b"}), r"Field required at question\.1\.article"),
        ("a.toml", toml(GOOD | {"page": 1}), r"at question\.0\.page"),
        ("a.toml", toml(GOOD | {"paragraph": "4"}), r"at question\.0\.paragraph"),
        ("a.toml", toml(GOOD | {"paragraph": 0}), r"at question\.0\.paragraph"),
        ("a.toml", toml(GOOD | {"answer": " "}), r"at question\.0\.answer"),
        ("a.toml", toml(GOOD | {"paragraph": 6}), "paragraph 6 .*question 'a'.* found 5 paragraphs"),
        ("a.toml", toml(GOOD | {"article": "Pepper"}), "article 'Pepper' .* found 0 paragraphs"),
        ("a.toml", toml(GOOD | {"answer": "Gabelle"}), "'Gabelle' once .*found it 0 times"),
        ("a.toml", toml(GOOD | {"answer": "sal"}), "'sal' once .*found it 0 times"),
        ("a.toml", toml(GOOD | {"answer": "salt"}), "'salt' once .*found it 3 times"),
        ("a.toml", toml(GOOD, GOOD), "found 'a' twice"),
        ("a.json", "{", "Invalid JSON.* line 1"),
        ("a.json", b"\xff", "Invalid JSON"),
        ("a.json", "[" * 9999, "Invalid JSON"),
        ("a.json", "[]", "SQuAD v1.1"),
        ("a.json", '{"data": []}', "found none"),
        ("a.json", squad(answers=[]), r"at data\.0\.paragraphs\.0\.qas\.0\.answers"),
        ("a.json", squad(question=7), r"at data\.0\.paragraphs\.0\.qas\.0\.question"),
        ("a.json", squad(question="\ud800"), "Invalid JSON"),
        ("a.json", squad(answers=[{"text": "Bo", "answer_start": 11}]), "'Bo' at character 11 .*'1' .*found ' B'"),
        ("a.json", squad(answers=[{"text": "Bo", "answer_start": -1}]), "answer_start"),
        ("a.json", squad(answers=[{"text": "Bo", "answer_start": 99}]), "found ''"),
        ("a.json", squad(id="2"), "found '2' twice"),
    ],
)
def test_a_file_that_is_wrong_is_refused_in_one_sentence_that_names_it(tmp_path, name, content, message):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(CorpusError, match=message) as refusal:
        read_questions("bad", [path])
    assert str(refusal.value).startswith("Expected")
    assert str(path) in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "content", "kept"),
    [
        ("a.toml", toml(GOOD, GOOD | {"id": "b", "answer": "Gabelle"}), ["a"]),
        ("a.toml", toml(GOOD | {"paragraph": 6}, GOOD | {"id": "b"}), ["b"]),
        ("a.toml", toml(GOOD, GOOD), ["a"]),
        ("a.json", squad(answers=[{"text": "Bo", "answer_start": 11}]), ["2"]),
        ("a.json", squad(id="2"), ["2"]),
    ],
)
def test_a_question_that_is_wrong_is_named_or_left_out_and_counted(tmp_path, name, content, kept):
    (tmp_path / name).write_text(content)
    with pytest.raises(RowError, match=r"^Expected .*; [^;]*\.$"):
        open_corpora([str(tmp_path / name)])
    (found,) = open_corpora([str(tmp_path / name)], skip_bad=True).all
    assert ([item.id for item in found.items], len(found.bad)) == (kept, 1)


def test_where_every_question_is_wrong_the_first_mistake_is_told(tmp_path):
    (tmp_path / "a.toml").write_text(toml(GOOD | {"answer": "Gabelle"}))
    with pytest.raises(CorpusError, match=r"found none but 1 that is wrong \(Expected the answer 'Gabelle' once"):
        open_corpora([str(tmp_path / "a.toml")], skip_bad=True)
