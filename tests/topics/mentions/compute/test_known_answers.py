"""Heads for answers whose logits are known, and what the claim on them says."""

import math
import shutil
from dataclasses import replace

import pytest
import torch
from transformers import AutoConfig, AutoModelForQuestionAnswering

from generator.claims.all import CLAIMS
from generator.claims.claim import judge
from generator.corpora.questions import Answer, Question
from generator.results.tables import TABLES
from generator.topics.mentions.compute.answers import LONGEST
from tests.claims.made import as_stored, evidence
from tests.encoders import POSITIONS, SENTENCES, write
from tests.numbers.slow import wilson
from tests.topics.mentions.compute.asked import LONG, SHORT, answered, asked, corpus, counts, loaded, values


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
    [((EARLY, 0), (LATE, 0), "inconclusive"), ((LATE, 0), (EARLY, 0), "not testable")],
    ids=["never reversed, always exact", "always reversed, never exact"],
)
def test_the_claim_on_heads_that_are_known(known, start, end, verdict):
    table = answered(known(start, end), corpus(*MANY))
    found = judge(CLAIM, evidence(as_stored("facts", table)))
    assert found.verdict == verdict, found.reason
    if verdict == "inconclusive":
        assert (found.value, found.low, found.n) == (0, 0, 60)
        assert "leaves open" in found.reason


def test_the_claim_holds_with_one_reversed_answer_among_many_exact_ones(known):
    """Two tables of one corpus put together: shares of 1 in 60 and of all, with the study's own intervals."""
    good = answered(known((EARLY, 0), (LATE, 0)), corpus(*MANY)).set_index("name")
    low, high = wilson(1, 60)
    good.loc["reversed", ["value", "low", "high"]] = 1 / 60, low, high
    found = judge(CLAIM, evidence(as_stored("facts", good.reset_index())))
    assert found.verdict == "holds", found.reason
