"""What the sentences of treebanks say against a name for attention to [CLS], to [SEP], or to periods and commas.

Such a name rests on running text, which most models read in pairs of paragraphs. In sentences the head must give these
tokens more than the head in its place of an untrained twin does, by the words outside its own relation, which are
most; where there are other treebanks, the one that was written for this project is not heard.
"""

from collections.abc import Callable, Iterator

from generator.claims.gate.statement import Check, Row, Statement
from generator.corpora.catalogue import is_own
from generator.numbers.number import Number
from generator.numbers.writing import written
from generator.results.store import Results
from generator.results.tables import records
from generator.topics.relations.records.trees import RESTING, TWIN

TABLE, SIDE = "head_facts", "outside"


def against(results: Results) -> Callable[[Statement], Statement]:
    """A function that adds to a statement on attention what sentences say against it."""
    rows = records(results.of_study(TABLE, RESTING.name))
    known = {(str(row["corpus"]), row["name"], row["layer"], row["head"]): row for row in rows}
    own = {corpus.name for corpus in results.manifest.corpora if is_own(corpus.name, corpus.sha256)}
    read = {corpus for corpus, *_ in known}
    # The treebank that was written for this project is heard only where there is no other.
    heard = sorted(read - own or read)

    def found(statement: Statement) -> Iterator[tuple[Row, Row]]:
        for column in statement.about.split("+"):
            name = f"{column.removeprefix('attention.')}.{SIDE}"
            for corpus in heard:
                both = [known.get((corpus, f"{of}{name}", *statement.place)) for of in ("", TWIN)]
                if both[0] and both[1]:
                    yield both[0], both[1]

    def asked(statement: Statement) -> Statement:
        pairs = [*found(statement)]
        checks, more = map(_more, pairs), tuple((TABLE, row) for pair in pairs for row in pair)
        return statement._replace(checks=(*statement.checks, *checks), rows=(*statement.rows, *more))

    return asked


def _more(pair: tuple[Row, Row]) -> Check:
    head, twin = (Number.of(row) for row in pair)
    text = f"in {pair[0]['corpus']} words give {written(head)}, and {written(twin)} in an untrained twin"
    return Check("elsewhere", not head.value <= twin.value, text)


AGAINST = against
