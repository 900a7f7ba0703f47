"""Made-up rows of GAP, in which a pronoun means the first or the second of two names."""

import random

from generator.corpora.opening import open_corpora
from generator.topics.mentions.corpus.gap import COLUMNS
from generator.topics.mentions.corpus.mentions import MENTIONS

NAMES = ("Ann Lee", "Mia", "Rosa Hart", "Eve", "Ida Stone")
BETWEEN = ("saw the ship", "lit the old lamp", "went to the village", "read a letter", "stood on a rock")


def row(name, first, second, meant, middle="saw the ship", after="nothing"):
    """A row whose pronoun means the name at this place, 0 or 1; neither for None."""
    text = f"Then {first} met {second} who {middle} and said that she knew {after}."
    return {
        "ID": name,
        "Text": text,
        "Pronoun": "she",
        "Pronoun-offset": str(text.index(" she ") + 1),
        "A": first,
        "A-offset": str(text.index(first)),
        "A-coref": str(meant == 0).upper(),
        "B": second,
        "B-offset": str(text.index(f" {second} ") + 1),
        "B-coref": str(meant == 1).upper(),
        "URL": "none",
    }


def rows(split, number):
    """So many rows, a third of them without an answer."""
    draw = random.Random(split)
    return [
        row(f"{split}-{at}", *draw.sample(NAMES, 2), (0, 1, None)[at % 3], draw.choice(BETWEEN), f"{split} {at}")
        for at in range(number)
    ]


def write(path, some):
    """A file of GAP."""
    path.write_text("".join("\t".join(one) + "\n" for one in [COLUMNS, *(one.values() for one in some)]), "utf-8")
    return path


def opened(path):
    """The corpus in a file."""
    return open_corpora([str(path)]).of(MENTIONS)[0]
