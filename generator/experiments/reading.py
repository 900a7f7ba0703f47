"""What an experiment reads, and how: the names of texts and treebanks, a labelled task, the longest input."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from generator.config import ModelChoice
from generator.corpora.kind import Corpus
from generator.corpora.pairs import Document, Input, PairMaker
from generator.corpora.tasks import LabelledTexts, find_task, read_task
from generator.defaults import Device
from generator.errors import CorpusError
from generator.models.encoder import Encoder
from generator.survey.known import check_known

DEV_EXAMPLES = 1000
"""The most dev examples that are read to compare maps or disable heads (Kovaleva et al. 2019, section 3)."""
TRAIN_EXAMPLES = 512
"""Training examples on which the importance of heads is measured; heads are then zeroed from the least important on."""


@dataclass(frozen=True)
class Reading:
    """The choices of a comparison or a sweep."""

    corpora: tuple[str, ...]
    """Names in the catalogue, or files."""
    task: str | None
    data: Path
    """The folder that holds GLUE's folders."""
    seed: int = 0
    max_tokens: int = 128
    device: Device = "auto"

    @property
    def settings(self) -> dict[str, int]:
        """The choices that can change a number, for the manifest."""
        return {"seed": self.seed, "max_tokens": self.max_tokens}

    def examples(self, split: Literal["train", "dev"]) -> LabelledTexts:
        """Examples of the task, a sample where there are many. Raises CorpusError."""
        assert self.task, "without a task there are no examples"
        most = DEV_EXAMPLES if split == "dev" else TRAIN_EXAMPLES
        return read_task(find_task(self.task), self.data, split, most, self.seed)

    def maker(self, encoder: Encoder) -> PairMaker:
        """A maker of inputs for this model, not longer than the model can read."""
        return PairMaker(encoder.tokenizer, min(self.max_tokens, encoder.positions), self.seed)

    def text_inputs(self, texts: Sequence[Corpus[Document]], encoder: Encoder) -> dict[str, list[Input]]:
        """The inputs of each text.

        Raises CorpusError for a text that gives no input, ModelError if the tokenizer does not know most of a text.
        """
        maker = self.maker(encoder)
        made = {text.name: [item for document in text.items for item in maker.inputs(document)] for text in texts}
        for name, inputs in made.items():
            if not inputs:
                raise CorpusError(
                    f"Expected documents of two paragraphs or more in {name}, found none; give another text."
                )
            check_known(encoder, name, inputs)
        return made

    def task_inputs(self, texts: LabelledTexts, encoder: Encoder) -> list[Input]:
        """An input for each example. Raises ModelError if the tokenizer does not know most of the examples."""
        maker = self.maker(encoder)
        inputs = [maker.pair(example.id, example.first, example.second) for example in texts.examples]
        check_known(encoder, texts.task.name, inputs)
        return inputs

    def command(self, command: str, choice: ModelChoice, *words: str, name: str = "--name") -> str:
        """The command that does the same again; files and folders appear in it without their paths.

        `name` is the option that gives the model its name.
        """
        read = [word for corpus in self.corpora for word in ("--corpus", Path(corpus).name)]
        read += ["--task", self.task, "--data", "DIR"] if self.task else []
        numbers = ["--max-tokens", str(self.max_tokens), "--seed", str(self.seed)]
        return shlex.join(["fieldguide", command, choice.id, *words, *read, *choice.options(name=name), *numbers])
