"""Annotated frames: made-up files of both schools, the published ones counted another way, and files that are wrong."""

import gzip
import re
import tarfile
from itertools import pairwise

import pytest

from generator.corpora.catalogue import CATALOGUE, FOLDER, CorpusEntry
from generator.corpora.formats.framenet import read_framenet
from generator.corpora.formats.propositions import read_propositions
from generator.corpora.frames import Element
from generator.corpora.kinds import CorpusKind
from generator.corpora.opening import open_corpora, verify
from generator.errors import CorpusError

SPACE = 'xmlns="http://framenet.icsi.berkeley.edu"'
LENDING = f"""<?xml version="1.0" encoding="UTF-8"?>
<frame name="Lending" ID="1" {SPACE}>
  <FE coreType="Core" name="Lender"/><FE coreType="Core-Unexpressed" name="Term"/>
  <FE coreType="Peripheral" name="Time"/>
</frame>"""
TEXT = "Mia lent us  her bike &amp; lamp on Monday ."
"""Two spaces after the third word; the file's six characters for an ampersand are one."""
DOCUMENT = f"""<?xml version="1.0" encoding="UTF-8"?>
<fullTextAnnotation {SPACE}>
  <header><corpus><document/></corpus></header>
  <sentence ID="7"><text>{TEXT}</text>
    <annotationSet ID="70"><layer name="PENN"><label start="0" end="2" name="np"/></layer></annotationSet>
    <annotationSet status="MANUAL" frameName="Lending" ID="71">
      <layer rank="1" name="Target"><label start="4" end="7" name="Target"/></layer>
      <layer rank="1" name="FE">
        <label start="0" end="2" name="Lender"/>
        <label start="13" end="27" name="Theme"/>
        <label start="29" end="37" name="Time"/>
        <label itype="DNI" name="Term"/>
      </layer>
      <layer rank="2" name="FE"><label start="11" end="13" name="Term"/></layer>
      <layer rank="1" name="GF"><label start="0" end="2" name="Ext"/></layer>
    </annotationSet>
    <annotationSet status="UNANN" frameName="Lending" ID="72"><layer name="Target"/></annotationSet>
  </sentence>
</fullTextAnnotation>"""
EXAMPLES = DOCUMENT.replace("fullTextAnnotation", "lexUnit").replace("<lexUnit ", '<lexUnit frame="Lending" ', 1)
EXAMPLES = EXAMPLES.replace(' frameName="Lending"', "").replace('ID="70"', 'ID="69"')
PROPOSED = """# sent_id = a
# text = Tom gave up and sold what Ann made .
1-2\tTomgave\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_
1\tTom\t_\tPROPN\t_\t_\t2\tnsubj\t_\t_\t_\tARG0\tARG0
2\tgave\t_\tVERB\t_\t_\t0\troot\t_\t_\tgive_up.01\tV\t_
3\tup\t_\tADP\t_\t_\t2\tcompound\t_\t_\t_\tC-V\t_
4\tand\t_\tCCONJ\t_\t_\t5\tcc\t_\t_\t_\t_\tARGM-DIS
4.1\the\t_\tPRON\t_\t_\t_\t_\t_\t_\t_\t_\tARG0
5\tsold\t_\tVERB\t_\t_\t2\tconj\t_\t_\tsell.01\t_\tV
6\twhat\t_\tPRON\t_\t_\t5\tobj\t_\t_\t_\t_\tARG1
7\tAnn\t_\tPROPN\t_\t_\t8\tnsubj\t_\t_\t_\t_\tR-ARG1
8\tmade\t_\tVERB\t_\t_\t6\tacl\t_\t_\t_\t_\tC-ARG1

# sent_id = nothing
1\tYes\t_\tINTJ\t_\t_\t0\troot\t_\t_\t_\t_

# sent_id = too few columns
1\tGo\t_\tVERB\t_\t_\t0\troot\t_\t_\tgo.01

"""


@pytest.fixture
def release(tmp_path):
    """A release with one frame, one text and one lexical unit."""
    for folder, file, text in (("frame", "Lending", LENDING), ("fulltext", "bike", DOCUMENT), ("lu", "lu1", EXAMPLES)):
        (tmp_path / "fn" / folder).mkdir(parents=True)
        (tmp_path / "fn" / folder / f"{file}.xml").write_text(text, encoding="utf-8")
    return tmp_path / "fn"


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
    with pytest.raises(CorpusError, match="found 'bike/7/71' twice; leave one file out"):
        read_framenet("fn", [release, release])


def test_framenet_has_as_many_frames_and_elements_as_its_text_says(shared, tmp_path):
    """Some of the published files, counted by patterns in their text instead of their tree."""
    raw = {}
    for name, step in (("frames", 1), ("fulltext", 9)):
        with tarfile.open(shared(f"data/framenet-1.5/{name}.tar.gz")) as archive:
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


def proposed(tmp_path, text=PROPOSED, name="x-up-dev.conllu"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_arguments_are_head_words_and_the_target_is_the_predicate_with_its_particle(tmp_path):
    gave, sold = read_propositions("up", [proposed(tmp_path)]).items
    assert gave.words == sold.words == ("Tom", "gave", "up", "and", "sold", "what", "Ann", "made")
    assert (gave.id, gave.sentence, gave.target) == ("a/2", "a", (1, 2))
    assert gave.elements == (Element("ARG0", True, (0,)),)
    assert (sold.id, sold.target) == ("a/5", (4,))
    assert sold.elements == (
        Element("ARG0", True, (0,)),
        Element("ARGM-DIS", False, (3,)),
        Element("ARG1", True, (5, 7)),
        Element("R-ARG1", True, (6,)),
    )


def test_packed_propositions_with_a_byte_order_mark_are_the_same(tmp_path):
    plain = read_propositions("up", [proposed(tmp_path)])
    packed = tmp_path / "p.conllu.gz"
    packed.write_bytes(gzip.compress(b"\xef\xbb\xbf" + PROPOSED.replace("\n", "\r\n").encode()))
    assert read_propositions("up", [packed]).items == plain.items


def test_words_that_are_left_out_come_from_the_treebank_beside(tmp_path):
    whole = read_propositions("up", [proposed(tmp_path)])
    bare = re.sub(r"^(\d+)\t[^\t]+", r"\1\t_", PROPOSED, flags=re.MULTILINE)
    path = proposed(tmp_path, bare)
    with pytest.raises(CorpusError, match=r"found them left out; put their treebank beside it"):
        read_propositions("up", [path])
    tree = "\n".join("\t".join(line.split("\t")[:10]) for line in PROPOSED.split("\n"))
    (tmp_path / "x-ud-dev.conllu").write_text(tree)
    assert read_propositions("up", [path]).items == whole.items
    (tmp_path / "x-ud-dev.conllu").write_text(tree.replace("sent_id = a", "sent_id = b"))
    with pytest.raises(CorpusError, match=r"Expected 8 words for 'a' of .* in the treebank beside it, found 0"):
        read_propositions("up", [path])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("2\tgave", "3\tgave", r"Expected word 2 in .*, line 5, found '3'; number them in order"),
        ("2\tgave", "x\tgave", r"Expected word 2 in .*, line 5, found 'x'; number them in order"),
        ("3\tup\t_\t", "3\tup\t", r"Expected 13 columns separated by tabs in .*, line 6, found 12"),
        ("\tgo.01", "", r"Expected more than 10 columns separated by tabs in .*, line 18, found 10; correct"),
        ("1\tTom\t_\tPROPN", "1\tTom\t\udcff\tPROPN", r"Expected UTF-8 text in .*, line 4"),
        (PROPOSED, "", "Expected frames with filled roles in up, found none"),
        ("sent_id = nothing", "sent_id = a\n" + PROPOSED, "found 'a/2' twice"),
    ],
)
def test_broken_propositions_are_refused_with_the_line(tmp_path, old, new, message):
    path = tmp_path / "x-up-dev.conllu"
    path.write_bytes(PROPOSED.replace(old, new).encode("utf-8", "surrogateescape"))
    with pytest.raises(CorpusError, match=message):
        read_propositions("up", [path])


def test_propositions_that_are_not_there_are_refused(tmp_path):
    (tmp_path / "x.conllu.gz").write_bytes(b"not packed")
    for name in ("x.conllu.gz", "nowhere.conllu"):
        with pytest.raises(CorpusError, match=f"Expected propositions at .*{name}, found"):
            read_propositions("up", [tmp_path / name])


def test_propositions_have_as_many_predicates_and_arguments_as_their_columns_say(shared, monkeypatch):
    monkeypatch.setenv(FOLDER, str(shared("data/srl-up-english-ewt").parent))
    (found,) = open_corpora(["srl-up-english-ewt-dev"]).all
    text = shared("data/srl-up-english-ewt/en_ewt-up-dev.conllu").read_text(encoding="utf-8")
    predicates = arguments = sentences = 0
    for block in text.strip().split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n") if not line.startswith("#")]
        columns = list(zip(*rows, strict=True))
        named = sum(frame not in ("", "_") for frame in columns[10])
        if named and len(columns) == 11 + named:
            sentences += 1
            predicates += named
            arguments += sum(mark not in ("", "_", "V", "C-V") for column in columns[11:] for mark in column)
    assert len(found.items) == predicates
    assert len({one.sentence for one in found.items}) == sentences
    assert sum(len(element.positions) for one in found.items for element in one.elements) == arguments


def test_frames_open_by_what_the_files_are(release, tmp_path):
    corpora = open_corpora([str(release), str(proposed(tmp_path))])
    assert [(one.name, one.kind) for one in corpora.all] == [
        ("fn", CorpusKind.FRAMES),
        ("x-up-dev.conllu", CorpusKind.FRAMES),
    ]
    assert list(corpora.checksums) == ["fn", "x-up-dev.conllu"]
    (sample,) = open_corpora([str(proposed(tmp_path))], sample=1).all
    assert len(sample.items) == 2, "a sentence is drawn with all of its frames"


def test_checksums_of_a_public_corpus_are_verified(tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER, str(tmp_path))
    path = tmp_path / "a.txt"
    path.write_bytes(b"abc")
    abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    entry = CorpusEntry(
        name="a",
        title="A",
        licence="MIT",
        language="en",
        files=(path.relative_to(tmp_path),),
        sha256=(abc,),
        source="https://example.org",
    )
    verify(entry)
    path.write_bytes(b"abd")
    with pytest.raises(
        CorpusError, match=rf"Expected .*a\.txt to have the checksum {abc}, found .*; get it again from ht"
    ):
        verify(entry)
    path.unlink()
    with pytest.raises(CorpusError, match=r"Expected a at .*, found nothing; get it from https://example.org"):
        verify(entry)
    for own in (each for each in CATALOGUE if not each.source):
        verify(own)
