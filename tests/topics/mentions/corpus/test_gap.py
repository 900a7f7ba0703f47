"""GAP rows become documents of three mentions, and rows whose offsets do not fit are refused with file and line."""

import pytest

from generator.errors import CorpusError
from generator.topics.mentions.corpus.coreference import Features
from generator.topics.mentions.corpus.gap import COLUMNS, read_gap

TEXT = 'Ann Lee told Mia Hart, "well", that she would win.'
ROW = {
    "ID": "t-1",
    "Text": TEXT,
    "Pronoun": "she",
    "Pronoun-offset": str(TEXT.index("she")),
    "A": "Ann Lee",
    "A-offset": "0",
    "A-coref": "FALSE",
    "B": "Mia Hart",
    "B-offset": str(TEXT.index("Mia")),
    "B-coref": "TRUE",
    "URL": "none",
}
LATER = "She said Mia won, and Ann left."
CATAPHOR = ROW | {
    "ID": "t-2",
    "Text": LATER,
    "Pronoun": "She",
    "Pronoun-offset": "0",
    "A": "Mia",
    "A-offset": str(LATER.index("Mia")),
    "B": "Ann",
    "B-offset": str(LATER.index("Ann")),
}


def written(folder, rows, header=COLUMNS):
    path = folder / "t.tsv"
    path.write_text("".join("\t".join(row) + "\n" for row in [header, *(row.values() for row in rows)]), "utf-8")
    return path


def refusal(path):
    with pytest.raises(CorpusError) as refused:
        read_gap("t", [path])
    return str(refused.value)


@pytest.mark.parametrize(
    ("name", "head"),
    [("Ann Lee Jr.", "Jr"), ("Jos*", "Jos"), ("Al-Kind*", "Kind"), ("*", "*"), ("Ann Lee", "Lee"), ("Apollo 8", "8")],
)
def test_a_mark_at_the_end_of_a_name_is_not_its_head(name, head, tmp_path):
    text = f"{name} told Mia that she won."
    row = ROW | {"Text": text, "A": name, "A-offset": "0", "A-coref": "TRUE", "B-coref": "FALSE"}
    row |= {"B": "Mia", "B-offset": str(text.index("Mia")), "Pronoun-offset": str(text.index("she"))}
    (document,) = read_gap("t", [written(tmp_path, [row])]).items
    assert document.words[document.mentions[0].head] == head


def test_a_pronoun_and_the_name_it_means_share_an_entity(tmp_path):
    (document,) = read_gap("t", [written(tmp_path, [ROW])]).items
    assert document.id == "t-1"
    assert " ".join(document.words) == 'Ann Lee told Mia Hart , " well " , that she would win .'
    ann, mia, she = document.mentions
    assert [document.words[m.start : m.end] for m in document.mentions] == [("Ann", "Lee"), ("Mia", "Hart"), ("she",)]
    assert [document.words[m.head] for m in document.mentions] == ["Lee", "Hart", "she"]
    assert [m.kind for m in document.mentions] == ["proper", "proper", "pronoun"]
    assert document.scored() == [she]
    assert document.antecedents(she) == [mia]
    assert she.features == Features("Sing", "Fem", "3")
    assert ann.entity != she.entity


def test_a_name_after_its_pronoun_is_no_antecedent_and_is_not_scored(tmp_path):
    first, second = read_gap("t", [written(tmp_path, [ROW, CATAPHOR])]).items
    assert first.scored()
    assert second.scored() == []
    assert len({mention.entity for mention in second.mentions}) == 3


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"Pronoun-offset": "3"}, "Expected Pronoun 'she' as whole words"),
        ({"A-offset": "1"}, "Expected A 'Ann Lee' as whole words"),
        ({"B": "Mia Har"}, "Expected B 'Mia Har' as whole words"),
        ({"B": "ia Hart", "B-offset": str(TEXT.index("ia"))}, "Expected B 'ia Hart' as whole words"),
        ({"B": ""}, "Expected B ''"),
        ({"B-offset": "-1"}, "Expected B 'Mia Hart'"),
        ({"B-offset": "1000"}, "Expected B 'Mia Hart'"),
        ({"B-offset": "²"}, "Expected B 'Mia Hart'"),
        ({"A-coref": "maybe"}, "Expected TRUE or FALSE as A-coref"),
        ({"URL": "one\ttwo"}, "Expected 11 columns"),
    ],
    ids=str,
)
def test_a_row_that_does_not_fit_its_text_is_refused_with_file_and_line(tmp_path, change, words):
    path = written(tmp_path, [ROW, ROW | {"ID": "t-3"} | change])
    message = refusal(path)
    assert message.startswith(words)
    assert f"{path}, line 3" in message


def test_other_columns_a_row_read_twice_and_a_missing_file_are_refused(tmp_path):
    assert "Expected the columns ID, Text" in refusal(written(tmp_path, [ROW], header=COLUMNS[:-1]))
    assert "'t-1' twice" in refusal(written(tmp_path, [ROW, ROW]))
    assert "found none" in refusal(written(tmp_path, [CATAPHOR]))
    assert "check the path" in refusal(tmp_path / "none.tsv")


def test_public_rows_are_read_whole(public):
    """The pronoun is scored wherever a name that it means stands before it, and its words are those of the file."""
    folder = public("coref-gap")
    paths = [folder / "gap-development.tsv", folder / "gap-validation.tsv"]
    rows = [row.split("\t") for path in paths for row in path.read_text("utf-8").split("\n")[1:] if row]
    documents = read_gap("gap", paths).items
    assert [document.id for document in documents] == [row[0] for row in rows]
    for document, (_, text, pronoun, at, a, a_at, a_is, b, b_at, b_is, _) in zip(documents, rows, strict=True):
        assert "".join(document.words) == "".join(text.split())
        said = {"".join(document.words[mention.start : mention.end]) for mention in document.mentions}
        assert said == {"".join(phrase.split()) for phrase in (pronoun, a, b)}
        before = [int(a_at) < int(at) and a_is == "TRUE", int(b_at) < int(at) and b_is == "TRUE"]
        assert len(document.scored()) == any(before)
        assert all(mention.kind == "pronoun" for mention in document.scored())
