"""Where answers start and end: a slow derivation one question at a time, and heads whose logits are known."""

import hashlib
import json
import math
import shutil
from dataclasses import replace

import pyarrow as pa
import pytest
import torch
from transformers import AutoConfig, AutoModelForQuestionAnswering, AutoTokenizer

from generator.analysis import analyze
from generator.claims import CLAIMS
from generator.claims.claim import judge
from generator.config import Analysis
from generator.corpora.document import Corpus
from generator.corpora.kinds import CorpusKind
from generator.corpora.questions import Answer, Question
from generator.models.answering import load_answering
from generator.models.source import locate
from generator.numbers.resampling import FEW_DOCUMENTS
from generator.pages.heads.atlas import Atlas
from generator.pages.models import model_page
from generator.results.store import Results
from generator.results.tables import TABLES
from generator.studies.mentions.answers import LONGEST, answer_facts
from tests.claims.made import evidence
from tests.encoders import GAIN, POSITIONS, SENTENCES, write
from tests.site.project import Silence

CPU = torch.device("cpu")
SHORT = SENTENCES[4]
LONG = " ".join(SENTENCES * 3)
"""More tokens than an encoder of the tests reads."""
SQUAD = json.dumps(
    {
        "data": [
            {
                "paragraphs": [
                    {
                        "context": SHORT,
                        "qas": [
                            {"id": "one", "question": "What?", "answers": [{"text": SHORT[:5], "answer_start": 0}]}
                        ],
                    }
                ]
            }
        ],
        "version": "1.1",
    }
)
"""One question about one passage, as SQuAD v1.1 writes it."""
FRAMES = {"bert": ("[CLS]", ["[SEP]"], 2), "roberta": ("<s>", ["</s>", "</s>"], 1)}
"""The first token, those between question and passage, and how many kinds of segments the model has."""


@pytest.fixture(scope="module")
def random_head(checkpoint, tmp_path_factory):
    """Gives the folder of a family's tiny encoder with a head for answers, all weights random and large."""

    def saved(family):
        place = shutil.copytree(checkpoint(family), tmp_path_factory.mktemp("answers") / family)
        torch.manual_seed(5)
        model = AutoModelForQuestionAnswering.from_config(AutoConfig.from_pretrained(place))
        with torch.no_grad():
            for name, weight in model.named_parameters():
                noise = GAIN * torch.randn_like(weight)
                weight.copy_(noise + 1 if "Norm.weight" in name else noise)
        model.save_pretrained(place)
        return place

    return saved


def loaded(place):
    return load_answering(locate(str(place)), CPU)


def corpus(*questions):
    return Corpus("made", CorpusKind.QUESTIONS, "0", questions)


def answered(head, questions):
    return answer_facts(head, questions.items, questions.name)


def asked(name, passage, *texts, question="What stood there?"):
    """A question whose answers are the first occurrences of these texts."""
    places = (passage.index(text) for text in texts)
    answers = tuple(Answer(start, start + len(text)) for start, text in zip(places, texts, strict=True))
    return Question(name, question, passage, answers)


def values(table):
    return dict(zip(table["name"], table["value"], strict=True))


def counts(table):
    return dict(zip(table["name"], table["n"], strict=True))


def wilson(hits, n):
    """The interval's ends, by the formula of Wilson 1927."""
    z = 1.959963984540054
    share = hits / n
    middle = share + z * z / (2 * n)
    width = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return (middle - width) / (1 + z * z / n), (middle + width) / (1 + z * z / n)


class Slowly:
    """One question after the other through plain transformers, in float64, with loops."""

    def __init__(self, place, family):
        self.begin, self.middle, self.kinds = FRAMES[family]
        self.tokenizer = AutoTokenizer.from_pretrained(place)
        self.model = AutoModelForQuestionAnswering.from_pretrained(place).double().eval()

    def encode(self, text):
        """Ids and characters, without special tokens."""
        found = self.tokenizer(
            text, add_special_tokens=False, split_special_tokens=True, return_offsets_mapping=True, verbose=False
        )
        return found["input_ids"], found["offset_mapping"]

    def read(self, question):
        """Start and end logits as lists, where the passage begins, and the ids and characters of what is read of it."""
        asked, _ = self.encode(question.question)
        passage, characters = self.encode(question.passage)
        special = self.tokenizer.convert_tokens_to_ids
        head = [special(self.begin), *asked, *map(special, self.middle)]
        passage = passage[: POSITIONS - len(head) - 1]
        ids = [*head, *passage, special(self.middle[0])]
        kinds = [0] * len(head) + [self.kinds - 1] * (len(passage) + 1)
        with torch.no_grad():
            found = self.model(input_ids=torch.tensor([ids]), token_type_ids=torch.tensor([kinds]))
        return found.start_logits[0].tolist(), found.end_logits[0].tolist(), len(head), passage, characters

    def span(self, question):
        """First and last token of the best span within the passage, and the characters it covers."""
        start, end, first, passage, characters = self.read(question)
        best, chosen = -math.inf, None
        for i in range(len(passage)):
            for j in range(i, len(passage)):
                if start[first + i] + end[first + j] > best:
                    best, chosen = start[first + i] + end[first + j], (i, j)
        i, j = chosen
        return passage[i : j + 1], Answer(characters[i][0], characters[j][1])

    def marks(self, question):
        """Whether the end comes first in the passage, and in the whole input."""
        start, end, first, passage, _ = self.read(question)
        inside = range(first, first + len(passage))
        return (
            max(inside, key=end.__getitem__) < max(inside, key=start.__getitem__),
            max(range(len(end)), key=end.__getitem__) < max(range(len(start)), key=start.__getitem__),
        )


@pytest.mark.parametrize("family", FRAMES)
def test_shares_are_those_of_one_question_at_a_time(random_head, family):
    place = random_head(family)
    slow = Slowly(place, family)
    passages = [*SENTENCES, LONG, "The rest of [SEP] it </s> is <s> text."]
    texts = ["What stood there?", "Who read a letter, and when?", "[SEP] what </s>?"]
    questions = [
        asked(f"{number}-{text}", passage, passage[4:9], question=text)
        for number, passage in enumerate(passages)
        for text in texts
    ]
    for at in range(0, len(questions), 2):  # the answers that the model gives, so that some are exact
        questions[at] = replace(questions[at], answers=(*questions[at].answers, slow.span(questions[at])[1]))
    reversals, anywhere = zip(*map(slow.marks, questions), strict=True)
    chosen = [slow.span(question)[0] for question in questions]
    exact = [
        any(tokens == _tokens(slow, question, answer) for answer in question.answers)
        for tokens, question in zip(chosen, questions, strict=True)
    ]
    assert 0 < sum(exact) < len(exact)
    assert 0 < sum(reversals) < len(reversals)
    assert 0 < sum(anywhere) < len(anywhere)
    assert reversals != anywhere

    table = answered(loaded(place), corpus(*questions))
    n = len(questions)
    for name, marks in (("reversed", reversals), ("reversed.anywhere", anywhere), ("exact", exact)):
        row = table[table["name"] == name].iloc[0]
        assert row["value"] == pytest.approx(sum(marks) / n)
        assert (row["low"], row["high"]) == pytest.approx(wilson(sum(marks), n))
        assert (row["n"], row["layer"], row["study"], row["corpus"], row["model"]) == (n, 0, "answers", "made", family)
    assert len(table) == 3
    pa.Table.from_pandas(table, schema=TABLES["facts"], preserve_index=False)
    assert answered(loaded(place), corpus(*questions[::-1])).equals(table)


def _tokens(slow, question, answer):
    """The ids of the passage's tokens that share a character with the answer."""
    ids, characters = slow.encode(question.passage)
    return [
        token
        for token, (start, end) in zip(ids, characters, strict=True)
        if set(range(start, end)) & set(range(*answer))
    ]


@pytest.fixture
def known(checkpoint, tmp_path):
    """Gives a checkpoint whose logits are `position * place + segment * (1 for the passage, -1 for the question)`.

    A place is the cosine of an angle that falls from the first position to the last, so that logits of weight 1 rise
    towards the beginning. Every layer passes on what it is given: all vectors have mean 0 and the same length.
    """

    def saved(start, end):
        place = shutil.copytree(checkpoint("bert"), tmp_path / "known", dirs_exist_ok=True)
        model = AutoModelForQuestionAnswering.from_config(AutoConfig.from_pretrained(place))
        with torch.no_grad():
            for name, weight in model.named_parameters():
                weight.fill_(1.0 if "LayerNorm.weight" in name else 0.0)
            angle = torch.arange(1, POSITIONS + 1) * math.pi / (POSITIONS + 1)
            positions = model.bert.embeddings.position_embeddings.weight
            for at, part in enumerate((angle.cos(), angle.sin())):
                positions[:, 2 * at], positions[:, 2 * at + 1] = part, -part
            segments = model.bert.embeddings.token_type_embeddings.weight
            segments[:, 4] = torch.tensor([-1.0, 1.0])
            segments[:, 5] = -segments[:, 4]
            for side, (position, segment) in enumerate((start, end)):
                model.qa_outputs.weight[side, 0], model.qa_outputs.weight[side, 4] = position, segment
        model.save_pretrained(place)
        return loaded(place)

    return saved


EARLY, LATE = 1.0, -1.0
PASSAGES = (SHORT, SENTENCES[0], LONG)
QUESTIONS = [asked(str(number), passage, passage) for number, passage in enumerate(PASSAGES)]
"""Asked for the whole passage, of which the last is cut."""


@pytest.mark.parametrize(
    ("start", "end", "reversed_", "anywhere"),
    [
        ((LATE, 0), (EARLY, 0), 1, 1),
        ((EARLY, 0), (LATE, 0), 0, 0),
        ((EARLY, 0), (EARLY, 0), 0, 0),
        ((EARLY, 10), (LATE, -10), 0, 1),
        ((LATE, -10), (EARLY, 10), 1, 0),
    ],
    ids=["end first", "start first", "the same token", "ends in the question", "starts in the question"],
)
def test_a_head_that_is_known_is_reversed_where_it_must_be(known, start, end, reversed_, anywhere):
    found = answered(known(start, end), corpus(*QUESTIONS))
    assert (values(found)["reversed"], values(found)["reversed.anywhere"]) == (reversed_, anywhere)


def test_a_question_whose_answer_is_cut_off_counts_for_the_order_alone(known):
    found = answered(known((EARLY, 0), (LATE, 0)), corpus(*QUESTIONS))
    assert values(found)["exact"] == 1
    assert counts(found) == {"reversed": 3, "reversed.anywhere": 3, "exact": 2}
    lost = answered(known((EARLY, 0), (LATE, 0)), corpus(QUESTIONS[-1]))
    assert counts(lost) == {"reversed": 1, "reversed.anywhere": 1}


def test_an_answer_in_the_part_that_is_read_counts_though_the_passage_is_cut(known):
    part = asked("part", LONG, LONG[:8])
    assert counts(answered(known((EARLY, 0), (LATE, 0)), corpus(part)))["exact"] == 1


def test_one_token_too_few_is_not_exact(known):
    """The known head chooses the whole passage, period and all."""
    head = known((EARLY, 0), (LATE, 0))
    short = asked("short", SHORT, SHORT[:-1])
    assert values(answered(head, corpus(short)))["exact"] == 0
    both = asked("both", SHORT, SHORT[:-1], SHORT)
    assert values(answered(head, corpus(both)))["exact"] == 1


def test_a_question_that_leaves_no_room_for_its_passage_is_left_out(known):
    head = known((EARLY, 0), (LATE, 0))
    long = replace(QUESTIONS[0], id="long", question=LONG)
    assert set(counts(answered(head, corpus(*QUESTIONS[:2], long))).values()) == {2}
    nothing = answered(head, corpus(long))
    assert (len(nothing), list(nothing)) == (0, TABLES["facts"].names)


@pytest.mark.parametrize("question", [*range(POSITIONS - 6, POSITIONS + 3)])
def test_a_question_of_any_length_is_read_or_left_out(known, question):
    """There are three special tokens; one token of the passage must be read."""
    found = answered(known((EARLY, 0), (LATE, 0)), corpus(replace(QUESTIONS[0], question="a " * question)))
    assert len(found) == (0 if question + 3 >= POSITIONS else 2)


def test_no_more_is_read_than_is_usual_though_the_model_could(tmp_path):
    """Of a passage as long as the model allows, words are an answer that is read, or not, by where they stand."""
    place = write("bert", tmp_path / "bert", limit=2 * LONGEST, max_position_embeddings=2 * LONGEST)
    AutoModelForQuestionAnswering.from_config(AutoConfig.from_pretrained(place)).save_pretrained(place)
    head = loaded(place)
    assert head.encoder.positions == 2 * LONGEST
    question, read = "a a a", LONGEST - 6
    passage = " ".join("a" * (read + 50))
    last, cut = (Question("0", question, passage, (Answer(2 * at, 2 * at + 1),)) for at in (read - 1, read))
    assert counts(answered(head, corpus(last)))["exact"] == 1
    assert "exact" not in counts(answered(head, corpus(cut)))


CLAIM = next(claim for claim in CLAIMS if claim.id == "Q06")
MANY = [asked(str(number), passage, passage) for number, passage in enumerate(SENTENCES * 6)]


@pytest.mark.parametrize(
    ("start", "end", "verdict"),
    [
        ((EARLY, 0), (LATE, 0), "inconclusive"),
        ((LATE, 0), (EARLY, 0), "not testable"),
    ],
    ids=["never reversed, always exact", "always reversed, never exact"],
)
def test_the_claim_on_heads_that_are_known(known, start, end, verdict):
    table = answered(known(start, end), corpus(*MANY))
    found = judge(CLAIM, evidence({"facts": table}))
    assert found.verdict == verdict, found.reason
    if verdict == "inconclusive":
        assert (found.value, found.low, found.n) == (0, 0, 60)
        assert "leaves open" in found.reason


def test_the_claim_holds_with_one_reversed_answer_among_many_exact_ones(known):
    """Two tables of one corpus put together: shares of 1 in 60 and of all, with the study's own intervals."""
    good = answered(known((EARLY, 0), (LATE, 0)), corpus(*MANY)).set_index("name")
    low, high = wilson(1, 60)
    good.loc["reversed", ["value", "low", "high"]] = 1 / 60, low, high
    found = judge(CLAIM, evidence({"facts": good.reset_index()}))
    assert found.verdict == "holds", found.reason


def test_a_checkpoint_that_answers_has_its_questions_in_the_manifest_and_on_its_page(random_head, tmp_path):
    (tmp_path / "text.txt").write_text("\n\n\n".join([f"{SENTENCES[0]}\n\n{SHORT}"] * FEW_DOCUMENTS), encoding="utf-8")
    (tmp_path / "asked.json").write_text(SQUAD, encoding="utf-8")
    corpora = tuple(str(tmp_path / name) for name in ("text.txt", "asked.json"))
    folder, _ = analyze(locate(str(random_head("bert"))), Analysis(corpora=corpora), tmp_path / "results", Silence())
    results = Results.open(folder)
    asked = results.manifest.of(CorpusKind.QUESTIONS)["asked.json"]
    assert (asked.counts, asked.sha256) == ({"questions": 1}, hashlib.sha256(SQUAD.encode()).hexdigest())
    facts = dict(model_page(Atlas(results)).facts)
    assert facts["Corpus asked.json"] == f"1 questions; sha256 {asked.sha256[:12]}"
