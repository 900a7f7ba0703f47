"""Tiny classifiers whose heads are disabled, by the program and by editing their weights."""

import numpy as np
import torch
import transformers
from transformers import AutoModelForSequenceClassification

from generator.corpora.tasks import Example, LabelledTexts, find_task
from generator.topics.tasks.run.disable.examples import LabelledExamples
from generator.topics.tasks.run.disable.study import disabling
from tests.encoders import FAMILIES, GAIN, HEADS, SENTENCES, tokenizer_of

CPU = torch.device("cpu")
COUNT, SEED, SIZE = 30, 3, 32 // HEADS


def labelled(classifier, anatomy, texts):
    """Disabling on a task."""
    return disabling(LabelledExamples(classifier, texts, 64), anatomy, "some/model", SEED)


def write_classifier(family, folder, labels):
    """Save a random classifier of `labels` outputs and its tokenizer."""
    tokenizer = tokenizer_of(family)
    kind = FAMILIES[family]
    torch.manual_seed(1)
    config = kind.config(len(tokenizer), num_labels=labels)
    model = getattr(transformers, f"{kind.name}ForSequenceClassification")(config)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            noise = GAIN * torch.randn_like(weight)
            weight.copy_(noise + 1 if "norm" in name.lower() and name.endswith("weight") else noise)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def texts_of(name, count=COUNT):
    """Pairs of sentences with labels at random."""
    rng = np.random.default_rng(0)
    task = find_task(name)
    labels = rng.integers(2, size=count) if task.labels else rng.normal(size=count)
    pairs = [(SENTENCES[at % 10], SENTENCES[(3 * at + at // 10) % 10]) for at in range(count)]
    second = (lambda text: text) if task.pair else (lambda _: None)
    examples = tuple(
        Example(f"dev:{at}", a, second(b), float(label))
        for at, ((a, b), label) in enumerate(zip(pairs, labels, strict=True))
    )
    return LabelledTexts(task, "0" * 64, examples)


TASK_OF = {2: "rte", 1: "stsb"}


def plain(folder):
    """The classifier as transformers loads it, in float64."""
    model = AutoModelForSequenceClassification.from_pretrained(folder, attn_implementation="eager")
    return model.eval().double()


def logits_of(model, item):
    with torch.set_grad_enabled(any(weight.requires_grad for weight in model.parameters())):
        return model(torch.tensor([item.input_ids]), token_type_ids=torch.tensor([item.segment_ids])).logits[0]


def said(model, item):
    """The class, or the value of a regression."""
    logits = logits_of(model, item).detach()
    return float(logits.argmax()) if len(logits) > 1 else float(logits[0])


def silence(model, layer, heads):
    """Remove these heads' slices of the output projection."""
    with torch.no_grad():
        for head in heads:
            weight = model.bert.encoder.layer[layer].attention.output.dense.weight
            weight[:, head * SIZE : (head + 1) * SIZE] = 0


def values(table, name):
    """Value, low and high of every row of that name, in order."""
    return table[table["name"] == name][["value", "low", "high"]].to_numpy()
