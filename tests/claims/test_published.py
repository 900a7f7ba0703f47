"""Published numbers agree with the papers they were taken from and with each other; bad files are refused."""

import re

import pytest

from generator.claims.all import CLAIMS
from generator.claims.published import FOLDER, published, read_published
from generator.errors import SiteError
from generator.pages.claims.tables import comparable

TASKS = ("mrpc", "stsb", "sst2", "qqp", "rte", "qnli", "mnli")
GROUP = """
source = "A paper"
[[group]]
key = "paper.table"
place = "Table 1"
trust = "primary"
"""


@pytest.fixture(scope="module")
def known():
    return read_published(FOLDER)


def test_a_number_comes_with_its_place():
    found = published("clark.table1.dobj.accuracy")
    assert found.value == pytest.approx(0.868)
    assert (found.unit, found.source, found.trust) == ("share", "Clark et al. 2019", "secondary")
    assert "Table 1" in found.place


def test_the_suspected_misprint_stands_as_printed_beside_the_notebook():
    printed, rerun = published("clark.table1.auxpass.accuracy"), published("clark.notebook.auxpass.accuracy")
    assert printed.value == published("clark.notebook.auxpass.baseline").value
    assert published("clark.table1.auxpass.baseline").value == published("clark.notebook.cop.baseline").value
    assert rerun.value > printed.value
    assert "misprint" in printed.note


def test_every_number_is_complete(known):
    for number in known.values():
        assert number.unit not in {"", "percent", "points"}
        assert number.source
        assert number.place
        if number.unit == "share":
            assert -1 <= number.value <= 1
        if "memory" in number.note:
            assert number.trust == "approximate"


def test_counts_and_means_of_the_paper_follow_from_its_table(known):
    relations = {key.split(".")[2] for key in known if key.startswith("clark.table1.")} - {"all"}
    other = [name for name in relations if "head<-dep" in known[f"clark.table1.{name}.accuracy"].note]
    assert 1 - len(other) / len(relations) == pytest.approx(published("clark.directions.printed").value)
    gains = [
        published(f"kovaleva.table1.{task}.accuracy.finetuned").value
        - published(f"kovaleva.table1.{task}.accuracy.pretrained").value
        for task in TASKS
    ]
    assert sum(gains) / len(gains) == pytest.approx(published("kovaleva.gain.mean").value, abs=5e-4)


def test_curves_have_twelve_layers(known):
    curves = {key.rpartition(".")[0] for key in known if key.startswith("clark.layers.")}
    assert len(curves) == 7
    assert {(curve, layer) for curve in curves for layer in range(1, 13)} == {
        (key.rpartition(".")[0], int(key.rpartition(".")[2])) for key in known if key.startswith("clark.layers.")
    }


def test_what_we_took_from_the_curves_follows_from_them():
    """What stands beside our numbers of several layers."""
    punctuation, entropy, of_cls = (
        [published(f"clark.layers.{name}.{layer}").value for layer in range(1, 13)]
        for name in ("punctuation", "entropy", "entropy_cls")
    )
    assert published("clark.punctuation.last").value == pytest.approx(sum(punctuation[10:]) / 2)
    early_lead = sum(entropy[:4]) / 4 - sum(entropy[4:]) / 8
    assert published("clark.entropy.early_lead").value == pytest.approx(early_lead, abs=0.005)
    assert published("clark.entropy.cls_lead").value == pytest.approx(of_cls[11] - entropy[11])
    for side, key in (("previous", "layer7"), ("next", "layer6")):
        found = read_published(FOLDER).items()
        heads = sorted(one.value for name, one in found if name.startswith(f"clark.notebook.{side}.layer"))
        assert published(f"clark.notebook.{side}.{key}").value == heads[-2]


@pytest.mark.parametrize(
    ("claim", "part", "numbers"), [("C06", 0, [0.545]), ("C10", 0, [0.64]), ("C10", 1, []), ("C11", 0, [1.07])]
)
def test_a_number_that_the_paper_gives_stands_beside_ours(claim, part, numbers):
    (found,) = (known for known in CLAIMS if known.id == claim)
    assert [one.value for one in comparable(found, part)] == numbers
    assert comparable(found, 2) == ()


def test_relations_agree_with_the_reference(papers):
    pattern = (
        r"\| (\w+) \| (\d+)-(\d+) \| \**([\d.]+)\** \| ([\d.]+) \((-?\d)\) \| \**([\d.]+) / ([\d.]+)\** \| (\S+) \|"
    )
    rows = [found.groups() for line in papers if (found := re.match(pattern, line))]
    assert len(rows) == 15
    for name, layer, head, accuracy, baseline, offset, rerun, rerun_baseline, n in rows:
        printed, notebook = f"clark.table1.{name.lower()}", f"clark.notebook.{name.lower()}"
        assert published(f"{printed}.layer").value == int(layer)
        assert published(f"{printed}.head").value == int(head)
        assert published(f"{printed}.offset").value == int(offset)
        assert published(f"{printed}.accuracy").value == pytest.approx(float(accuracy) / 100)
        assert published(f"{printed}.baseline").value == pytest.approx(float(baseline) / 100)
        assert published(f"{notebook}.accuracy").value == pytest.approx(float(rerun) / 100)
        assert published(f"{notebook}.baseline").value == pytest.approx(float(rerun_baseline) / 100)
        assert n == "-" or published(f"{notebook}.n").value == int(n)


def test_the_other_relations_agree_with_the_reference(papers):
    start = next(at for at, line in enumerate(papers) if line.startswith("Remaining notebook rows"))
    text = " ".join(papers[start : start + 9])
    rows = re.findall(r"(\w+) (\d+): ([\d.]+) / ([\d.]+)\((-?\d)\) (\d+)-(\d+)(\*?)", text)
    assert len(rows) == 18
    for name, n, accuracy, baseline, offset, layer, head, star in rows:
        columns = {"n": n, "offset": offset, "layer": layer, "head": head}
        assert {key: published(f"clark.notebook.{name}.{key}").value for key in columns} == {
            key: int(value) for key, value in columns.items()
        }
        assert published(f"clark.notebook.{name}.accuracy").value == pytest.approx(float(accuracy) / 100)
        assert published(f"clark.notebook.{name}.baseline").value == pytest.approx(float(baseline) / 100)
        assert bool(star) == ("head<-dep" in published(f"clark.notebook.{name}.accuracy").note)


@pytest.mark.parametrize(
    ("row", "key"),
    [
        ("to [CLS]", "cls"),
        ("to [SEP] (both)", "sep"),
        ('to "." or ","', "punctuation"),
        ("[SEP] -> [SEP]", "sep_to_sep"),
        ("other -> [SEP]", "other_to_sep"),
        ("all rows", "entropy"),
        ("from [CLS]", "entropy_cls"),
    ],
)
def test_curves_agree_with_the_reference(row, key, papers):
    line = next(line for line in papers if line.startswith(f"| {row} |"))
    values = [float(cell) for cell in line.split("|")[2:14]]
    assert [published(f"clark.layers.{key}.{layer}").value for layer in range(1, 13)] == values


def test_fine_tuning_agrees_with_the_reference(papers):
    names = dict(zip(("MRPC", "STS-B", "SST-2", "QQP", "RTE", "QNLI", "MNLI-m"), TASKS, strict=True))
    pattern = r"\| ([\w-]+) \| ([\d. /]+) \| ([\d. /]+) \| ([\d. /]+) \| .* \| (\d.*)K \|"
    rows = [found.groups() for line in papers if (found := re.match(pattern, line)) and found[1] in names]
    assert len(rows) == len(TASKS)
    for task, *columns, size in rows:
        key = f"kovaleva.table1.{names[task]}"
        assert published(f"{key}.size").value == float(size) * 1000
        for name, cell in zip(("pretrained", "random", "finetuned"), columns, strict=True):
            *f1, accuracy = (float(number) / 100 for number in cell.split("/"))
            assert published(f"{key}.accuracy.{name}").value == pytest.approx(accuracy)
            assert [published(f"{key}.f1.{name}").value for _ in f1] == pytest.approx(f1)


@pytest.mark.parametrize(("key", "hint"), [("clark.table1.dobj.acuracy", "dobj.accuracy"), ("zzz", "add it there")])
def test_an_unknown_key_is_refused_with_a_hint(key, hint):
    with pytest.raises(SiteError, match=re.escape(f"found {key!r}")) as error:
        published(key)
    assert hint in str(error.value)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("not toml", "Expected '='"),
        ("source = 'A paper'", "no 'group'"),
        (f"{GROUP}values = {{ a = 1 }}", "no unit or no source for 'a'"),
        (f"{GROUP}unit = 'share'\nvalues = {{ a = 'much' }}", "could not convert"),
        (f"{GROUP}unit = 'share'\nvalues = {{ a = 1 }}\nnotes = {{ b = 'c' }}", "a note on 'b'"),
        (f"{GROUP}unit = 'share'\nworth = 3", "worth"),
        (GROUP.replace("primary", "hearsay") + "unit = 'share'", "trust"),
    ],
    ids=["syntax", "no groups", "no unit", "no number", "note on nothing", "unknown field", "unknown trust"],
)
def test_a_broken_file_is_named(text, found, tmp_path):
    (tmp_path / "paper.toml").write_text(text, encoding="utf-8")
    with pytest.raises(SiteError, match=re.escape(found)) as error:
        read_published(tmp_path)
    assert str(tmp_path / "paper.toml") in str(error.value)
    assert "\n" not in str(error.value)


def test_a_key_may_stand_once(tmp_path):
    group = f"{GROUP}unit = 'share'\nvalues = {{ a = 1 }}"
    (tmp_path / "one.toml").write_text(group, encoding="utf-8")
    (tmp_path / "two.toml").write_text(group, encoding="utf-8")
    with pytest.raises(SiteError, match=r"'paper\.table\.a'") as error:
        read_published(tmp_path)
    assert "two.toml" in str(error.value)


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(SiteError, match="found none"):
        read_published(tmp_path)
