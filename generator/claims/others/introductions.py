"""Two introductions to BERT: about types and the vocabulary; topics have their other claims."""

from generator.claims.claim import Claim, part
from generator.claims.evidence.evidence import Evidence
from generator.claims.missing import ByConstruction, Impossible
from generator.claims.nameless import OF_THE_MODEL
from generator.claims.published import published
from generator.numbers.number import Number, exact
from generator.numbers.writing import number

NOTES = "Feinberg 2019"
ANSWER = "McCarthy 2021"


def _rows_per_type(_: Evidence) -> Number:
    raise ByConstruction("a token enters the network with the row of its type, in every such model")


Q01 = Claim(
    id="Q01",
    title="Parameters belong to types, not to tokens",
    statement="There are parameters for every word type and none for single tokens.",
    paper=ANSWER,
    section="answer",
    measure=(
        "Rows of the input embedding divided by the pieces of the vocabulary would be counted; but a token enters the "
        "network with the row of its type whatever was trained, so nothing can be learned from it."
    ),
    needs="the embedding matrix of the model",
    parts=(
        part(
            "Q01.1", "the number of embedding rows per piece of the vocabulary", "ratio", _rows_per_type, over="model"
        ),
    ),
    nameless=OF_THE_MODEL,
    never=dict.fromkeys(("holds", "fails", "inconclusive"), "it could not be otherwise, whatever the model does"),
)


def _pieces(evidence: Evidence) -> Number:
    pieces = evidence.fact("model", "vocabulary").value
    if pieces not in {published(f"bert.vocabulary.{of}").value for of in ("uncased", "cased")}:
        raise Impossible(f"its {number(pieces)} pieces are not those of BERT, but were chosen for it")
    return exact(pieces, 1)


Q05 = Claim(
    id="Q05",
    title="The vocabulary has 33 thousand pieces",
    statement="The vocabulary has about 33 thousand word pieces.",
    paper=NOTES,
    section="training",
    measure="Entries of the tokenizer's vocabulary, if it is that of BERT, cased or uncased; counted.",
    needs="a tokenizer with the vocabulary of BERT",
    parts=(part("Q05.1", "the number of pieces", "pieces", _pieces, over="model"),),
    published=("s002.vocabulary.claimed", "bert.vocabulary.uncased", "bert.vocabulary.cased"),
    comparable=("s002.vocabulary.claimed", "bert.vocabulary.uncased", "bert.vocabulary.cased"),
    numbers=("model/vocabulary",),
    nameless=OF_THE_MODEL,
    never={
        "holds": "the two vocabularies of BERT, which are all that it is about, have fewer pieces",
        "inconclusive": "pieces are counted, and a count has no interval",
    },
)


CLAIMS = (Q01, Q05)
