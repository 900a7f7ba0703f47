"""Annotated frames of FrameNet: made-up files, the published ones counted another way, and files that are wrong."""

import re
import tarfile
from itertools import pairwise

import pytest

from generator.corpora.formats.annotation import Element
from generator.corpora.opening import open_corpora
from generator.errors import CorpusError, RowError
from generator.survey.inputs import left_out
from generator.topics.frames.corpus.framenet import read_framenet
from tests.reports import Telling
from tests.topics.frames.corpus.framenet import DOCUMENT, TEXT


def pack(path, folder):
    with tarfile.open(path, "w:gz") as archive:
        archive.add(folder, folder.name)
    return path


def test_spans_of_characters_become_words_and_the_definition_says_what_is_core(release):
    (frame,) = read_framenet("fn", [release]).items
    assert frame.words == ("Mia", "lent", "us", "her", "bike", "&", "lamp", "on", "Monday", ".")
    assert frame.target == (1,)
    assert frame.elements == (
        Element("Lender", True, (0,)),
        Element("Theme", False, (3, 4, 5, 6)),
        Element("Time", False, (7, 8)),
        Element("Term", True, (3,)),
    )
    assert (frame.sentence, frame.id) == ("bike/7", "bike/7/71")


def test_examples_of_lexical_units_are_read_where_their_folder_is_named(release):
    (text,), (example,) = (read_framenet("fn", [place]).items for place in (release, release / "lu"))
    assert (text.words, text.target, text.elements) == (example.words, example.target, example.elements)
    assert example.sentence == "lu1/7"


def test_folders_and_tar_files_are_one_corpus(release, tmp_path):
    whole = read_framenet("fn", [release])
    packed = [pack(tmp_path / f"{name}.tar.gz", release / name) for name in ("fulltext", "frame")]
    assert read_framenet("fn", packed) == whole
    (tmp_path / "packed").mkdir()
    for path in packed:
        path.rename(tmp_path / "packed" / path.name)
    assert read_framenet("fn", [tmp_path / "packed"]) == whole
    assert read_framenet("fn", [release / "fulltext"]) == whole
    (release / "fulltext" / "bike.xml").write_text(DOCUMENT.replace("Mia", "Pia"))
    assert read_framenet("fn", [release]).sha256 != whole.sha256


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_a_release_may_be_packed_in_any_way_that_tar_files_are(release, tmp_path, mode):
    with tarfile.open(tmp_path / "all.tar.gz", mode) as archive:
        archive.add(release, ".")
    assert len(read_framenet("fn", [tmp_path / "all.tar.gz"]).items) == 2


def test_nothing_is_unpacked_and_links_are_passed_over(release, tmp_path):
    path = tmp_path / "all.tar"
    link = tarfile.TarInfo("fulltext/evil.xml")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    with tarfile.open(path, "w") as archive:
        archive.add(release, ".")
        archive.addfile(link)
    before = set(tmp_path.rglob("*"))
    assert len(read_framenet("fn", [path]).items) == 2
    assert set(tmp_path.rglob("*")) == before


def test_entities_that_explode_are_refused(release):
    names = "abcdef"
    inner = "".join(f'<!ENTITY {b} "{f"&{a};" * 99}">' for a, b in pairwise(names))
    bomb = f'<!DOCTYPE fullTextAnnotation [<!ENTITY a "{"a" * 99}">{inner}]>'
    path = release / "fulltext" / "bike.xml"
    path.write_text(DOCUMENT.replace("<fullText", f"{bomb}<fullText", 1).replace("Mia", "&f;"))
    with pytest.raises(CorpusError, match=r"Expected XML in .*bike\.xml, found: limit on input amplification"):
        read_framenet("fn", [release])


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("fulltext/bike.xml", "</sentence>", "", r"Expected XML in .*bike\.xml, found: mismatched tag: line \d+"),
        ("frame/Lending.xml", "<?xml", "\0<?xml", r"Expected XML in .*Lending\.xml, found"),
        ("frame/Lending.xml", "UTF-8", "no-such", r"Expected XML in .*Lending\.xml, found"),
        ("frame/Lending.xml", "frame", "Frame", r"Expected the definitions of frames in .*, found none; keep"),
        ("fulltext/bike.xml", "fullText", "part", "Expected frames with filled roles in fn, found none"),
        (
            "fulltext/bike.xml",
            'start="4"',
            'start="four"',
            r"label within its sentence in .*bike/7, found 'four' to '7'",
        ),
        ("fulltext/bike.xml", 'end="37"', 'end="3700"', r"label within its sentence in .*bike/7, found '29' to '3700'"),
        ("fulltext/bike.xml", 'start="4"', 'start="11"', r"label within its sentence in .*bike/7, found '11' to '7'"),
        ("fulltext/bike.xml", 'end="37"', "", r"label within its sentence in .*bike/7, found '29' to ''"),
        ("fulltext/bike.xml", TEXT, "", r"label within its sentence in .*bike/7, found '4' to '7'"),
    ],
)
def test_a_broken_framenet_is_refused_in_one_sentence(release, file, old, new, message):
    path = release / file
    path.write_text(path.read_text().replace(old, new), encoding="utf-8")
    with pytest.raises(CorpusError, match=message):
        read_framenet("fn", [release])


def test_a_frame_whose_label_is_wrong_is_named_or_left_out_and_counted(release):
    frame = DOCUMENT[
        DOCUMENT.index('    <annotationSet status="MANUAL"') : DOCUMENT.index('    <annotationSet status="UNANN"')
    ]
    more = frame.replace('ID="71"', 'ID="73"').replace('end="37"', 'end="3700"')
    path = release / "fulltext" / "bike.xml"
    path.write_text(DOCUMENT.replace(frame, frame + more), encoding="utf-8")
    with pytest.raises(RowError, match=r"bike\.xml, sentence bike/7, found '29' to '3700'"):
        read_framenet("fn", [release])
    found = read_framenet("fn", [release], skip_bad=True)
    assert [item.id for item in found.items] == ["bike/7/71"]
    assert len(found.bad) == 1
    assert "'29' to '3700'" in found.bad[0]
    (corpus,) = open_corpora([str(release)], skip_bad=True).all
    assert (len(corpus.items), len(corpus.bad)) == (1, 1)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("file", ["fulltext/notes.xml", "frame/Absent.xml"])
@pytest.mark.parametrize("text", [b"Mia lent us her bike.", b"", DOCUMENT[:-9].encode(), b"\xff\xfe<"])
def test_a_file_that_is_no_xml_is_named_or_left_out_and_counted(release, tmp_path, packed, file, text):
    whole = read_framenet("fn", [pack(tmp_path / "whole.tar.gz", release) if packed else release]).items
    (release / file).write_bytes(text)
    path = pack(tmp_path / "release.tar.gz", release) if packed else release
    with pytest.raises(RowError, match=rf"^Expected XML in .*{file}, found: [^;\n]+; get the file again\.$"):
        read_framenet("fn", [path])
    found = read_framenet("fn", [path], skip_bad=True)
    assert (found.items, len(found.bad)) == (whole, 1)
    (corpus,) = open_corpora([str(path)], skip_bad=True).all
    report = Telling()
    assert left_out(corpus, report) == {"bad": 1}
    assert file in report.notes[0]


def test_a_file_that_cannot_be_read_is_named_or_left_out_and_counted(release):
    (release / "fulltext" / "folder.xml").mkdir()
    with pytest.raises(RowError, match=r"^Expected XML in .*fulltext/folder\.xml, found: Is a directory; get the file"):
        read_framenet("fn", [release])
    found = read_framenet("fn", [release], skip_bad=True)
    assert (len(found.items), len(found.bad)) == (1, 1)


def test_where_no_file_is_xml_the_first_mistake_is_told(release):
    for path in release.rglob("*.xml"):
        path.write_text("no markup")
    with pytest.raises(
        CorpusError, match=r"Expected .* in .*, found none but 2 that are wrong \(Expected XML in .*\);"
    ):
        read_framenet("fn", [release], skip_bad=True)


@pytest.mark.parametrize("name", ["frames.tar", "frames.tgz"])
@pytest.mark.parametrize("start", [b"", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0"])
def test_a_file_that_is_no_archive_is_refused_in_one_line(tmp_path, name, start):
    (tmp_path / name).write_bytes(start + b"no archive")
    with pytest.raises(
        CorpusError, match=f"Expected FrameNet at {tmp_path / name}, found: .*; check the path"
    ) as refused:
        read_framenet("fn", [tmp_path / name])
    assert len(str(refused.value).splitlines()) == 1


def test_a_framenet_that_is_not_there_is_refused(release, tmp_path):
    cut = pack(tmp_path / "cut.tar.gz", release)
    cut.write_bytes(cut.read_bytes()[:-200])
    (tmp_path / "text.tar.gz").write_text("no archive")
    for path in (cut, tmp_path / "text.tar.gz", tmp_path / "nowhere.tar.gz"):
        with pytest.raises(CorpusError, match=f"Expected FrameNet at {path}, found"):
            read_framenet("fn", [path])
    (tmp_path / "empty").mkdir()
    with pytest.raises(CorpusError, match=r"Expected FrameNet's XML files in .*empty, found none; name the folder"):
        read_framenet("fn", [tmp_path / "empty"])
    with pytest.raises(CorpusError, match="found 'bike/7/71' twice; rename one or leave it out"):
        read_framenet("fn", [release, release])


def test_framenet_has_as_many_frames_and_elements_as_its_text_says(public, tmp_path):
    """Some of the published files, counted by patterns in their text instead of their tree."""
    raw = {}
    for name, step in (("frames", 1), ("fulltext", 9)):
        with tarfile.open(public(f"framenet-1.5/{name}.tar.gz")) as archive:
            archive.extractall(tmp_path, [one for one in archive if one.name.endswith(".xml")][::step], filter="data")
    raw = {name: [path.read_text() for path in (tmp_path / name).iterdir()] for name in ("frame", "fulltext")}
    core, annotations, elements, of_core = set(), 0, 0, 0
    for text in raw["frame"]:
        frame = re.search(r'<frame [^>]*\bname="([^"]+)"', text)[1]
        core |= {(frame, one) for one in re.findall(r'<FE [^>]*coreType="Core[^>]*\bname="([^"]+)"', text)}
    for chunk in "".join(raw["fulltext"]).split("<annotationSet ")[1:]:
        frame = re.search(r'^[^>]*frameName="([^"]+)"', chunk)
        if frame and re.search(r'<label[^>]*start="\d+"[^>]*name="Target"', chunk):
            annotations += 1
            for layer in chunk.split("<layer ")[1:]:
                if re.match(r'[^>]*name="FE"', layer):
                    names = re.findall(r'<label[^>]*start="\d+"[^>]*\bname="([^"]+)"', layer)
                    elements += len(names)
                    of_core += sum((frame[1], one) in core for one in names)
    found = read_framenet("fn", [tmp_path]).items
    assert len(found) == annotations > 1000
    assert sum(len(one.elements) for one in found) == elements
    assert sum(element.core for one in found for element in one.elements) == of_core
