"""Files of GLUE are read as shipped, and what is wrong with one is said in a sentence."""

import gzip
import hashlib
import re
from pathlib import Path

import pytest

from generator.corpora.tasks import TASKS, Example, find_task, read_task
from generator.errors import CorpusError

GLUE = Path(__file__).resolve().parents[3] / "shared" / "data" / "glue"
HEADERS = {
    "rte": "index\tsentence1\tsentence2\tlabel",
    "mrpc": "\ufeffQuality\t#1 ID\t#2 ID\t#1 String\t#2 String",
    "sst2": "sentence\tlabel",
    "stsb": "index\tgenre\tfilename\tyear\told_index\tsource1\tsource2\tsentence1\tsentence2\tscore",
    "qnli": "index\tquestion\tsentence\tlabel",
    "qqp": "id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate",
    "mnli": "index\tpairID\tsentence1_parse\tsentence1\tsentence2\tlabel1\tgold_label",
}
ROWS = {
    "rte": "0\tA.\tB.\tnot_entailment",
    "mrpc": "1\t7\t8\tA.\tB.",
    "sst2": "A.\t1",
    "stsb": "0\tg\tf\t2012\t0001\tnone\tnone\tA.\tB.\t3.250",
    "qnli": "0\tA.\tB.\tnot_entailment",
    "qqp": "4\t5\t6\tA.\tB.\t1",
    "mnli": "0\tp\t(A)\tA.\tB.\tneutral\tneutral",
    "cola": "gj04\t1\t\tA.",
}
LABELS = {"stsb": 3.25}
tasks = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)


def put(folder, name, text, file="dev.tsv"):
    path = folder / find_task(name).folder / file
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()) if file.endswith(".gz") else text.encode())
    return path


def lines(name, *rows):
    header = [HEADERS[name]] if name in HEADERS else []
    return "".join(f"{line}\n" for line in [*header, *rows])


def file_of(task):
    return "dev_matched.tsv" if task.name == "mnli" else "dev.tsv"


@tasks
def test_each_task_is_read_from_its_own_columns(task, tmp_path):
    text = lines(task.name, ROWS[task.name])
    put(tmp_path, task.name, text, file_of(task))
    found = read_task(task, tmp_path, "dev")
    line = text.count("\n")
    assert found.examples == (Example(f"dev:{line}", "A.", "B." if task.pair else None, LABELS.get(task.name, 1.0)),)
    assert found.sha256 == hashlib.sha256(text.encode()).hexdigest()


def test_columns_are_found_by_name(tmp_path):
    put(tmp_path, "rte", "label\tsentence2\tsentence1\nentailment\tB.\tA.\n")
    assert read_task(find_task("rte"), tmp_path, "dev").examples == (Example("dev:2", "A.", "B.", 0.0),)


def test_quotation_marks_and_carriage_returns_leave_columns_as_they_are(tmp_path):
    put(tmp_path, "rte", lines("rte", '0\t"A" b\t"C\tentailment', "1\tD\tE\tentailment").replace("\n", "\r\n"))
    found = read_task(find_task("rte"), tmp_path, "dev").examples
    assert [(one.first, one.second) for one in found] == [('"A" b', '"C'), ("D", "E")]


def test_a_line_is_ended_by_a_newline_alone(tmp_path):
    put(tmp_path, "sst2", lines("sst2", "a\u2028b\x0cc \x85d\t1"))
    assert read_task(find_task("sst2"), tmp_path, "dev").examples[0].first == "a\u2028b\x0cc \x85d"


def test_a_packed_file_is_the_same_as_the_plain_one(tmp_path):
    plain, packed = tmp_path / "plain", tmp_path / "packed"
    for folder, file in ((plain, "dev.tsv"), (packed, "dev.tsv.gz")):
        folder.mkdir()
        put(folder, "sst2", lines("sst2", *(f"Text {n}.\t{n % 2}" for n in range(5))), file)
    assert read_task(find_task("sst2"), plain, "dev") == read_task(find_task("sst2"), packed, "dev")


def test_a_sample_is_drawn_by_its_seed_and_keeps_the_order(tmp_path):
    put(tmp_path, "sst2", lines("sst2", *(f"Text {n}.\t{n % 2}" for n in range(50))), "train.tsv")
    task = find_task("sst2")
    whole = read_task(task, tmp_path, "train").examples
    some = [read_task(task, tmp_path, "train", 20, seed).examples for seed in (0, 0, 1)]
    assert some[0] == some[1] != some[2]
    for sample in some:
        assert len(set(sample)) == 20
        assert [one for one in whole if one in sample] == list(sample)
    assert read_task(task, tmp_path, "train", 50).examples == read_task(task, tmp_path, "train", 99).examples == whole


def test_cut_lines_of_qqp_are_passed_over(tmp_path):
    put(tmp_path, "qqp", lines("qqp", "1\t2\t3\tA?", "4\t5\t6\tC?\tD?\t0"))
    assert [example.id for example in read_task(find_task("qqp"), tmp_path, "dev").examples] == ["dev:3"]


BAD = {
    "too few columns": ("rte", lines("rte", ROWS["rte"], "1\tA.\tB."), "line 3", "4 columns"),
    "too many columns": ("qqp", lines("qqp", ROWS["qqp"] + "\tmore"), "line 2", "6 columns"),
    "a line left empty": ("sst2", lines("sst2", "", ROWS["sst2"]), "line 2", "2 columns"),
    "an unknown label": ("rte", lines("rte", "0\tA.\tB.\tmaybe"), "line 2", "'maybe'"),
    "no label": ("cola", lines("cola", ROWS["cola"], "gj04\t\t*\tA."), "line 2", "found ''"),
    "no number": ("stsb", lines("stsb", ROWS["stsb"].replace("3.250", "high")), "line 2", "'high'"),
    "no finite number": ("stsb", lines("stsb", ROWS["stsb"].replace("3.250", "nan")), "line 2", "'nan'"),
    "another header": ("mrpc", lines("mrpc").replace("Quality", "Label"), "line 1", "'Quality'"),
    "a header alone": ("rte", lines("rte"), "dev.tsv", "found none"),
    "nothing": ("cola", "", "dev.tsv", "an empty file"),
}


def refusal(task, data, split="dev"):
    with pytest.raises(CorpusError) as caught:
        read_task(task, data, split)
    message = str(caught.value)
    assert re.fullmatch(r"Expected [^\n]+, found:? [^\n]+; [^\n]+\.", message)
    return message


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_is_refused_with_file_and_line(case, tmp_path):
    name, text, line, found = BAD[case]
    path = put(tmp_path, name, text)
    message = refusal(find_task(name), tmp_path)
    for part in (str(path), line, found):
        assert part in message


def test_other_bytes_than_utf8_are_refused(tmp_path):
    put(tmp_path, "sst2", "").write_bytes(b"sentence\tlabel\ncaf\xe9\t1\n")
    assert "line 2, found byte 0xe9" in refusal(find_task("sst2"), tmp_path)


def test_a_damaged_packed_file_is_refused(tmp_path):
    path = put(tmp_path, "sst2", "", "dev.tsv.gz")
    path.write_bytes(gzip.compress(lines("sst2", ROWS["sst2"]).encode())[:-9])
    assert str(path) in refusal(find_task("sst2"), tmp_path)


def test_a_missing_file_is_named(tmp_path):
    assert str(tmp_path / "MNLI" / "dev_matched.tsv") in refusal(find_task("mnli"), tmp_path)
    assert "train split" in refusal(find_task("mnli"), tmp_path, "train")


def test_an_unknown_task_is_answered_with_the_known_ones():
    with pytest.raises(CorpusError, match=r"found 'wnli'; choose one of rte, mrpc, sst2"):
        find_task("wnli")


def _counts():
    """Rows as SOURCE.md beside the files states them."""
    table = re.findall(r"^\| (\S+) \| (.*?dev \d+) \|", (GLUE / "SOURCE.md").read_text("utf-8"), re.MULTILINE)
    folders = {task.folder: task for task in TASKS}
    return [
        (folders[folder], split, int(rows))
        for folder, text in table
        if folder in folders
        for split, rows in re.findall(r"(train|dev) (\d+)", text)
    ]


@pytest.mark.skipif(not GLUE.is_dir(), reason="GLUE's files are not on this machine")
def test_the_real_files_have_the_rows_their_source_states():
    counts = _counts()
    assert len(counts) == 11  # five tasks with both splits, and one without training examples
    for task, split, rows in counts:
        examples = read_task(task, GLUE, split).examples
        assert (task.name, len(examples)) == (task.name, rows)
        assert all(example.first.strip() for example in examples)
        assert all((example.second is not None) == task.pair for example in examples)
        labels = {example.label for example in examples}
        if task.labels:
            assert labels == set(range(len(task.labels)))
        else:
            assert (min(labels), max(labels)) == (0, 5)
