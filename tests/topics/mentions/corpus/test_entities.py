"""Mentions are read from brackets in CoNLL-U, and brackets that do not fit are refused with their file and line."""

import gzip
from collections import Counter
from pathlib import Path

import pytest

from generator.corpora.treebank import read_treebank
from generator.errors import CorpusError
from generator.topics.mentions.corpus.coreference import Features, truncate
from generator.topics.mentions.corpus.entities import read_entities

HEADER = "# global.Entity = GRP-etype-infstat"
GUM = ("dev", "test")
"""Not train: eight of its documents stand in dev or test as well."""


def line(number, form, upos, features, head, relation, misc="_"):
    return f"{number}\t{form}\t_\t{upos}\t_\t{features}\t{head}\t{relation}\t_\t{misc}"


MASC = "Gender=Masc|Number=Sing|Person=3|PronType=Prs"
FIRST = [
    "# newdoc id = first",
    HEADER,
    "# sent_id = 1",
    line(1, "Ann", "PROPN", "Number=Sing", 3, "nsubj", "Entity=(1-person-new(2-person-new)"),
    line(2, "Smiths", "PROPN", "Number=Plur", 1, "flat", "SpaceAfter=No|Entity=1)"),
    line(3, "saw", "VERB", "_", 0, "root"),
    line(4, "the", "DET", "PronType=Art", 5, "det", "Entity=(3-person"),
    line(5, "man", "NOUN", "Number=Sing", 3, "obj"),
    line("6-7", "who'd", "_", "_", "_", "_"),
    line(6, "who", "PRON", "PronType=Rel", 8, "nsubj"),
    line(7, "had", "AUX", "_", 8, "aux"),
    line(8, "lost", "VERB", "_", 5, "acl:relcl"),
    line(9, "his", "PRON", MASC, 10, "nmod:poss", "Entity=(4-object(3-person)"),
    line(10, "hat", "NOUN", "Number=Sing", 8, "obj"),
    line(11, "and", "CCONJ", "_", 12, "cc"),
    line(12, "coat", "NOUN", "Number=Sing", 10, "conj", "Entity=4)3)"),
    line("12.1", "_", "PRON", "_", "_", "_", "Entity=(1-person-zero)"),
    "",
]
SECOND = [
    "# sent_id = 2",
    line(1, "Sa", "DET", "Gender=Fem,Masc|Number=Sing|PronType=Prs", 2, "det", "Entity=(5[1/2]-x)(7-x(3-x)"),
    line(2, "mère", "NOUN", "Gender=Fem|Number=Sing", 3, "nsubj", "Entity=(6-x"),
    line(3, "rit", "VERB", "_", 0, "root", "Entity=7)(5[2/2]-x)"),
    line(4, "là", "ADV", "_", 3, "advmod", "Entity=6)"),
    "",
]
THIRD = ["# newdoc", line(1, "Rain", "NOUN", "_", 0, "root", "Entity=(1-x)"), ""]


def written(folder: Path, lines: list[str], name: str = "t.conllu") -> Path:
    path = folder / name
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def refusal(*paths: Path) -> str:
    with pytest.raises(CorpusError) as refused:
        read_entities("t", paths)
    return str(refused.value)


def spans(document):
    return [(" ".join(document.words[m.start : m.end]), document.words[m.head], m.entity) for m in document.mentions]


def test_nested_mentions_are_read_with_the_heads_of_their_trees(tmp_path):
    (document,) = read_entities("t", [written(tmp_path, FIRST)]).items
    assert document.id == "first"
    assert " ".join(document.words) == "Ann Smiths saw the man who had lost his hat and coat"
    assert spans(document) == [
        ("Ann Smiths", "Ann", "1"),
        ("Ann", "Ann", "2"),
        ("the man who had lost his hat and coat", "man", "3"),
        ("his hat and coat", "hat", "4"),
        ("his", "his", "3"),
    ]
    assert [mention.kind for mention in document.mentions] == ["proper", "proper", "nominal", "nominal", "pronoun"]


def test_of_several_heads_the_one_nearest_to_the_root_is_taken_then_the_first(tmp_path):
    lines = [
        line(1, "runs", "VERB", "_", 0, "root", "Entity=(1)"),
        line(2, "Bo", "PROPN", "_", 1, "nsubj"),
        line(3, "Lee", "PROPN", "_", 2, "flat", "Entity=(1"),
        line(4, "home", "NOUN", "_", 1, "obl", "Entity=1)(2"),
        line(5, "today", "NOUN", "_", 1, "obl", "Entity=2)"),
    ]
    (document,) = read_entities("t", [written(tmp_path, lines)]).items
    assert spans(document)[1:] == [("Lee home", "home", "1"), ("home today", "home", "2")]


def test_features_come_from_the_head_and_several_joined_are_plural(tmp_path):
    (document,) = read_entities("t", [written(tmp_path, FIRST)]).items
    ann, _, man, hat, his = (mention.features for mention in document.mentions)
    assert ann == man == Features("Sing", None, "3")
    assert hat == Features("Plur", None, "3")
    assert his == Features("Sing", "Masc", "3")


def test_a_document_goes_on_over_its_sentences_and_what_is_discontinuous_is_left_out(tmp_path):
    first, third = read_entities("t", [written(tmp_path, FIRST + SECOND + THIRD)]).items
    assert first.words[-5:] == ("coat", "Sa", "mère", "rit", "là")
    assert spans(first)[5:] == [("Sa mère rit", "rit", "7"), ("Sa", "Sa", "3"), ("mère rit là", "rit", "6")]
    assert third.id == f"t.conllu:{len(FIRST + SECOND) + 1}"
    assert spans(third) == [("Rain", "Rain", "1")]


def test_a_possessive_determiner_is_a_pronoun_and_an_open_choice_of_gender_is_unknown(tmp_path):
    (document,) = read_entities("t", [written(tmp_path, FIRST[1:] + SECOND)]).items
    assert document.id == "t.conllu"
    (sa,) = (mention for mention in document.mentions if mention.head == 12 and mention.entity == "3")
    assert (sa.kind, sa.features) == ("pronoun", Features("Sing", None, None))


def test_only_a_preceding_head_word_makes_an_antecedent(tmp_path):
    """ "The man ... his": the whole precedes its part by its head, and the part never precedes the whole."""
    (document,) = read_entities("t", [written(tmp_path, FIRST)]).items
    _, _, man, _, his = document.mentions
    assert document.antecedents(his) == [man]
    assert document.scored() == [his]


def test_a_document_is_cut_without_mentions_that_cross_the_end(tmp_path):
    (document,) = read_entities("t", [written(tmp_path, FIRST)]).items
    cut = truncate(document, 9)
    assert len(cut.words) == 9
    assert [mention.entity for mention in cut.mentions] == ["1", "2", "3"]
    assert cut.mentions[-1].end == 9
    assert cut.scored() == []
    assert truncate(document, len(document.words)) == document


@pytest.mark.parametrize(
    ("number", "misc", "words"),
    [
        (4, "Entity=(1-person(2-person)3)", "'3' to begin before"),
        (4, "Entity=(1-person(2-person", "'2' that begins"),
        (4, "Entity=(1-person((2-person)", "Expected brackets"),
        (4, "Entity=1-person", "Expected brackets"),
        (4, "Entity=(-person)", "Expected brackets"),
        (9, None, "10 columns"),
        (12, "Entity=9)", "'9' to begin before"),
    ],
    ids=["end without begin", "begin without end", "two brackets", "no bracket", "no name", "no tabs", "wrong name"],
)
def test_brackets_and_columns_that_do_not_fit_are_refused_with_file_and_line(tmp_path, number, misc, words):
    columns = FIRST[number - 1].split("\t")
    wrong = " ".join(columns) if misc is None else "\t".join([*columns[:9], misc])
    path = written(tmp_path, [wrong if at == number else text for at, text in enumerate(FIRST, start=1)])
    message = refusal(path)
    assert words in message
    assert f"{path}, line {number}" in message


def test_an_older_order_of_fields_is_refused_with_file_and_line(tmp_path):
    path = written(tmp_path, ["# global.Entity = entity-GRP-infstat" if text == HEADER else text for text in FIRST])
    assert f"eid or GRP as the first field of global.Entity in {path}, line 2" in refusal(path)


def test_a_document_read_twice_and_text_without_coreference_are_refused(tmp_path):
    path = written(tmp_path, FIRST)
    assert "'first' twice" in refusal(path, path)
    bare = ["\t".join([*text.split("\t")[:9], "_"]) if "\t" in text else text for text in FIRST]
    assert "antecedents in t, found none" in refusal(written(tmp_path, bare))
    assert "check the path" in refusal(tmp_path / "none.conllu")
    latin = tmp_path / "latin.conllu"
    latin.write_bytes("\n".join(SECOND).encode("latin-1"))
    assert f"UTF-8 text in {latin}" in refusal(latin)


@pytest.mark.parametrize("part", GUM)
def test_gum_has_a_mention_for_every_bracket_and_ends_them_where_it_says(public, part):
    """Derived anew, letter by letter; the words of a document are those of its sentences in the treebank."""
    path = public(f"ud-english-gum/en_gum-ud-{part}.conllu.gz")
    expected, words, document = Counter(), [], ""
    open_at: dict[str, list[int]] = {}
    for row in gzip.decompress(path.read_bytes()).decode().split("\n"):
        if row.startswith("# newdoc id = "):
            document, words = row.removeprefix("# newdoc id = "), []
        columns = row.split("\t")
        if not columns[0].isdigit():
            continue
        words.append(columns[1])
        field = ("|" + columns[9]).partition("|Entity=")[2].partition("|")[0]
        name, latest, opening = "", "", False
        for letter in field:
            if letter == "(":
                name, opening = "", True
            elif letter == ")":
                group = latest if opening else name
                expected[document, open_at[group].pop(), len(words), group] += 1
                name, opening = "", False
            else:
                name += letter
                if opening and letter == "-" and "-" not in name[:-1]:
                    latest = name[:-1]
                    open_at.setdefault(latest, []).append(len(words) - 1)
    read = read_entities("gum", [path]).items
    found = Counter((item.id, m.start, m.end, m.entity) for item in read for m in item.mentions)
    assert found == expected
    forms = [word.form for sentence in read_treebank("gum", [path]).items for word in sentence.words]
    assert [word for item in read for word in item.words] == forms


def test_heads_of_gum_are_reached_by_climbing_from_every_word_of_the_mention(public):
    """Where the span is one subtree, its words lead to one last word inside; elsewhere the head is one of several."""
    path = public("ud-english-gum/en_gum-ud-dev.conllu.gz")
    up = []
    for sentence in read_treebank("gum", [path]).items:
        start = len(up)
        up += [start + word.head - 1 if word.head else None for word in sentence.words]
    offset, whole = 0, 0
    for document in read_entities("gum", [path]).items:
        for mention in document.mentions:
            span = range(offset + mention.start, offset + mention.end)
            tops = set()
            for word in span:
                here = word
                while up[here] in span:
                    here = up[here]
                tops.add(here)
            assert offset + mention.head in tops
            whole += len(tops) == 1
        offset += len(document.words)
    assert offset == len(up)
    assert whole > 7000
