"""Tiny encoders with a masked-LM head, one of every family that has one, written to a folder."""

import torch
import transformers

from tests.encoders import FAMILIES, GAIN, tokenizer_of

CLASSES = {
    "bert": "BertForMaskedLM",
    "bert with two heads": "BertForPreTraining",
    "roberta": "RobertaForMaskedLM",
    "distilbert": "DistilBertForMaskedLM",
    "electra": "ElectraForMaskedLM",
    "albert": "AlbertForMaskedLM",
    "modernbert": "ModernBertForMaskedLM",
    "deberta-v2": "DebertaV2ForMaskedLM",
    "mpnet": "MPNetForMaskedLM",
}
CPU = torch.device("cpu")


def write_masked_lm(name, folder, **changes):
    """Save a random checkpoint with a head, built from the family's configuration, and its tokenizer."""
    family = name.split(" ")[0]
    tokenizer = tokenizer_of(family)
    torch.manual_seed(0)
    model = getattr(transformers, CLASSES[name])(FAMILIES[family].config(len(tokenizer), **changes))
    with torch.no_grad():
        for key, weight in model.named_parameters():
            noise = GAIN * torch.randn_like(weight)
            weight.copy_(noise + 1 if "norm" in key.lower() and key.endswith("weight") else noise)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
