"""Where answers start and end: a slow derivation one question at a time, and the way from a checkpoint to its page."""

import hashlib
import json
import math
import shutil
from dataclasses import replace

import pandas as pd
import pyarrow as pa
import pytest
import torch
from transformers import AutoConfig, AutoModelForQuestionAnswering, AutoTokenizer

from generator.analysis import analyze
from generator.config import Analysis
from generator.corpora.questions import QUESTIONS, Answer
from generator.models.source import locate
from generator.numbers.resampling import FEW_DOCUMENTS
from generator.pages.blocks import Facts
from generator.pages.heads.atlas import Atlas
from generator.pages.models import model_page
from generator.results.store import Results
from generator.results.tables import TABLES
from tests.attention.observations import scarce
from tests.encoders import GAIN, POSITIONS, SENTENCES
from tests.numbers.slow import wilson
from tests.pages.reading import block
from tests.reports import Strict
from tests.topics.mentions.compute.asked import LONG, SHORT, answered, asked, corpus, loaded

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


def test_where_memory_does_not_suffice_questions_are_read_in_smaller_batches(random_head):
    head = loaded(random_head("bert"))
    texts = [SHORT, LONG, *SENTENCES]
    questions = corpus(*(asked(f"{at}{text}", text, text[:5]) for at in range(3) for text in texts))
    plain = answered(head, questions)
    with scarce(head.encoder, POSITIONS), pytest.warns(UserWarning, match="batches of a quarter") as told:
        found = answered(head, questions)
    assert len(told) == 1
    pd.testing.assert_frame_equal(found, plain)


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


def test_a_checkpoint_that_answers_has_its_questions_in_the_manifest_and_on_its_page(random_head, tmp_path):
    (tmp_path / "text.txt").write_text("\n\n\n".join([f"{SENTENCES[0]}\n\n{SHORT}"] * FEW_DOCUMENTS), encoding="utf-8")
    (tmp_path / "asked.json").write_text(SQUAD, encoding="utf-8")
    corpora = tuple(str(tmp_path / name) for name in ("text.txt", "asked.json"))
    folder, _ = analyze(locate(str(random_head("bert"))), Analysis(corpora=corpora), tmp_path / "results", Strict())
    results = Results.open(folder)
    asked = results.manifest.of(QUESTIONS)["asked.json"]
    assert (asked.counts, asked.sha256) == ({"questions": 1}, hashlib.sha256(SQUAD.encode()).hexdigest())
    facts = dict(block(model_page(Atlas(results)), "provenance", Facts).lines)
    assert facts["Corpus asked.json"] == f"1 question; sha256 {asked.sha256[:12]}"
