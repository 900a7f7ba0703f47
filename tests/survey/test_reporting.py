"""While studies read inputs again, whoever watches is told how much is left, and no study is done before it ends."""

import shutil
from dataclasses import dataclass, field, replace

import pytest
import torch
from transformers import AutoConfig, AutoModelForQuestionAnswering

from generator.config import Analysis
from generator.corpora.files import TEXT
from generator.corpora.kind import Corpora
from generator.corpora.opening import open_corpora
from generator.corpora.questions import QUESTIONS
from generator.corpora.treebank import TREEBANK
from generator.models.answering import load_answering
from generator.models.masked_lm import load_masked_lm
from generator.models.source import locate
from generator.progress import reporting_to, tell
from generator.studies.all import PROCEDURES
from generator.studies.procedure import nothing
from generator.survey.engine import Surveyor
from generator.survey.task import LEAST, OF_WORDS
from tests.attention.masked_lm import write_masked_lm
from tests.reports import Telling

CPU = torch.device("cpu")
AGAIN = [procedure for procedure in PROCEDURES if procedure.again is not nothing]
KINDS = (TEXT, TREEBANK, QUESTIONS)
TOKENS = 64


@dataclass
class Told:
    """What one study said of itself, and what was told while it was made."""

    corpus: str = ""
    expected: int = 0
    told: list[int] = field(default_factory=list)


def noted(study, notes):
    """The same study, which notes what it says that it will read, and what is told while it is made."""
    note = notes.setdefault(study.study, Told())

    def again(of):
        note.corpus, note.expected = of.corpus, study.again(of)
        return note.expected

    def noting(function):
        def made(*given):
            before = len(note.told)
            with reporting_to(note.told.append):
                found = function(*given)
            for done in note.told[before:]:
                tell(done)
            return found

        return made

    def watch(*given):
        watcher = study.watch(*given)
        return replace(watcher, tables=noting(watcher.tables))

    parts = tuple(replace(part, function=noting(part.function)) for part in study.parts)
    return replace(study, again=again, watch=study.watch and watch, parts=parts)


def texts(sample):
    """So much of each kind."""
    return Corpora(tuple(open_corpora(["articles", "treebank", "questions"], sample=sample).all))


@pytest.fixture(scope="module")
def begun(checkpoint, encoder, anatomy, tmp_path_factory):
    """Makes a surveyor of a tiny BERT with all its heads that reports."""
    source = locate(str(write_masked_lm("bert", tmp_path_factory.mktemp("masked-lm") / "bert")))
    place = shutil.copytree(checkpoint("bert"), tmp_path_factory.mktemp("answers") / "bert")
    torch.manual_seed(1)
    AutoModelForQuestionAnswering.from_config(AutoConfig.from_pretrained(place)).save_pretrained(place)
    heads = load_masked_lm(source, CPU), load_answering(locate(str(place)), CPU)
    settings = Analysis(max_tokens=TOKENS)
    return lambda report: Surveyor(encoder("bert"), anatomy("bert"), settings, report, *heads)


@pytest.fixture(scope="module")
def read(begun):
    """Lets it read all kinds of corpora one by one; gives what was reported, and noted by study."""
    corpora, report, notes = texts(40), Telling(), {}
    for name in corpora.checksums:
        begun(report).survey(corpora.named(name), [noted(procedure, notes) for procedure in PROCEDURES])
    return report, notes


def test_every_corpus_is_done_when_its_last_study_is_and_not_before(read):
    report, _ = read
    assert len(report.bars) == 3
    for title, (total, done) in report.bars.items():
        stood = report.stood(title)
        assert stood == sorted(stood)
        assert stood[-1] == total
        assert done[-1] > 0


def test_all_corpora_are_one_piece_of_work_with_one_end(begun):
    """The time that is left is that of all of them, from the beginning on."""
    corpora, report = texts(4), Telling()
    once = [procedure for procedure in PROCEDURES if procedure not in AGAIN]
    for part in (*map(corpora.named, corpora.checksums), corpora):
        begun(report).survey(part, once)
    *each, whole = report.bars
    totals = [report.bars[title][0] for title in each]
    assert report.bars[whole][0] == sum(totals)
    stood = report.stood(whole)
    assert stood[-1] == sum(totals)
    assert totals[0] + totals[1] in stood, "the last begins where the others end"
    # What twins read of the second corpus while they are held for the first counts for the second as it is read.
    assert totals[0] not in stood
    assert any(totals[0] < at < totals[0] + totals[1] for at in stood)


@pytest.mark.parametrize("study", [one.study for one in AGAIN])
def test_a_study_that_reads_again_tells_so_as_it_goes(read, study):
    told = read[1][study].told
    assert min(told) >= 0
    assert max(told) < sum(told), "all at once"


@pytest.mark.parametrize("study", [procedure.study for procedure in PROCEDURES if procedure.reads in KINDS])
def test_a_study_reads_about_as_much_again_as_it_says(read, study):
    """What a study says decides what part of the whole it counts for; what it says not, it must not read."""
    report, notes = read
    of = notes[study]
    if of.expected:
        assert 1 / 2 < sum(of.told) / of.expected < 2
    else:
        total, _ = report.bars[f"bert on {of.corpus}"]
        assert sum(of.told) < total / (OF_WORDS if of.corpus == "treebank" else 1) / LEAST
