"""What the sentences of treebanks say against a name for attention to [CLS], to [SEP], or to periods and commas.

Such a name rests on running text, which most models read in pairs of paragraphs. In sentences the head must give these
tokens more than the head in its place of an untrained twin does, by the words outside its own relation, which are
most; where there are other treebanks, the one that was written for this project is not heard. A lean, which says that
one token gets more than any other, is contradicted where another of them surely gets more in sentences; a name for
attention to one token is then given of running text alone.
"""

from collections.abc import Callable, Iterator

from generator.claims.gate.maps import ELSEWHERE, LEAN, TARGET
from generator.claims.gate.resting import PLACES
from generator.claims.gate.statement import Check, Place, Row, Statement
from generator.corpora.catalogue import is_own
from generator.numbers.number import Number
from generator.numbers.writing import written
from generator.results.store import Results
from generator.results.tables import records
from generator.topics.relations.records.trees import RESTING, TWIN

SIDE = "outside"
ONLY = " in running text"


class Sentences:
    """Where the words of treebanks send the attention of a model's heads."""

    def __init__(self, results: Results) -> None:
        rows = records(results.of_study(ELSEWHERE, RESTING.name))
        self._known = {(str(row["corpus"]), row["name"], row["layer"], row["head"]): row for row in rows}
        own = {corpus.name for corpus in results.manifest.corpora if is_own(corpus.name, corpus.sha256)}
        read = {corpus for corpus, *_ in self._known}
        self.heard = sorted(read - own or read)
        """The treebanks that count; the one that was written for this project only where there is no other."""

    def row(self, corpus: str, column: str, place: Place, of: str = "") -> Row | None:
        """What a head gives the tokens that a measure counts; `of` begins the names of the numbers of the twin."""
        return self._known.get((corpus, f"{of}{column.removeprefix('attention.')}.{SIDE}", *place))

    def rival(self, corpus: str, column: str, place: Place) -> tuple[str, Row] | None:
        """Which measure of attention to other tokens is surely larger than this one, with its row; the largest."""
        own = self.row(corpus, column, place)
        rows = {other: self.row(corpus, other, place) for other in PLACES if other != column and column in PLACES}
        above = [(other, row) for other, row in rows.items() if own and row and row["low"] > own["high"]]
        return max(above, key=lambda rival: rival[1]["value"], default=None)


def against(results: Results) -> Callable[[Statement], Statement]:
    """A function that adds to a statement on attention what sentences say against it."""
    sentences = results.once(Sentences)

    def found(statement: Statement) -> Iterator[tuple[Row, Row]]:
        for column in statement.about.split("+"):
            for corpus in sentences.heard:
                head, twin = (sentences.row(corpus, column, statement.place, of) for of in ("", TWIN))
                if head and twin:
                    yield head, twin

    def rivals(statement: Statement) -> Iterator[tuple[Row, Row]]:
        for corpus in sentences.heard if statement.kind in (LEAN, TARGET) else ():
            own = sentences.row(corpus, statement.about, statement.place)
            rival = sentences.rival(corpus, statement.about, statement.place)
            if own and rival:
                yield own, rival[1]

    def asked(statement: Statement) -> Statement:
        pairs, above = [*found(statement)], [*rivals(statement)]
        checks = (*map(_more, pairs), *(map(_less, above) if statement.kind == LEAN else ()))
        more = tuple((ELSEWHERE, row) for pair in (*pairs, *above) for row in pair)
        # A name is narrowed by any treebank; that a head without one turns elsewhere in sentences, all must say.
        heard = len(above) == len(sentences.heard) if statement.kind == LEAN else bool(above)
        only = ONLY if heard and statement.given else ""
        return statement._replace(checks=(*statement.checks, *checks), rows=(*statement.rows, *more), only=only)

    return asked


def _more(pair: tuple[Row, Row]) -> Check:
    head, twin = (Number.of(row) for row in pair)
    text = f"in {pair[0]['corpus']} words give {written(head)}, and {written(twin)} in an untrained twin"
    return Check("elsewhere", not head.value <= twin.value, text)


def _less(pair: tuple[Row, Row]) -> Check:
    own, rival = (Number.of(row) for row in pair)
    name = str(pair[1]["name"]).removesuffix(f".{SIDE}")
    return Check(
        "elsewhere", False, f"in {pair[0]['corpus']} words give {written(own)}, and {written(rival)} to {name}"
    )


AGAINST = against
