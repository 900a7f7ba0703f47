"""All kinds of corpus, in the order in which their numbers are preferred where several corpora give the same one."""

from generator.corpora.files import TEXT
from generator.corpora.kind import Form, Kind
from generator.corpora.questions import QUESTIONS
from generator.corpora.treebank import TREEBANK
from generator.topics import of_topics

TASK = Kind(name="task", noun="a labelled task", unit="examples", form=Form.TEXT)
"""Read by experiments alone (`generator.corpora.tasks`)."""

KINDS: tuple[Kind, ...] = (
    TEXT,
    TREEBANK,
    *of_topics("corpora", "KIND"),
    QUESTIONS,
    TASK,
)


def rank(kind: Kind) -> int:
    """Its place in the order of preference, from 0."""
    return KINDS.index(kind)


def kind_called(name: str) -> Kind:
    """The kind of that name. Raises ValueError."""
    for kind in KINDS:
        if kind.name == name:
            return kind
    raise ValueError(f"should be one of {', '.join(kind.name for kind in KINDS)}")
