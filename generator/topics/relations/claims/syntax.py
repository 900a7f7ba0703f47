"""Clark et al. 2019, section 4.2: what single heads do over all words, and over many dependency relations."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from generator.claims.bounds import in_force, parse
from generator.claims.claim import Claim, Part, part
from generator.claims.clark.position import CLARK
from generator.claims.cutoffs import FEWEST_WORDS, SEED
from generator.claims.evidence.evidence import Evidence
from generator.claims.gate.premises import NO_TWIN, Null
from generator.claims.missing import NotTestable, defined
from generator.claims.nameless import ON_SENTENCES
from generator.corpora.languages import language_name, marked_otherwise
from generator.corpora.relation_names import ALL, DIRECTIONS, NOT_RELATIONS, in_words
from generator.numbers.number import Number, alone
from generator.numbers.resampling import bootstrap_ratio, proportion
from generator.numbers.writing import number, percent
from generator.topics.relations.claims.chosen import RelationHead, chosen_head, chosen_heads
from generator.topics.relations.claims.finds import Counts

DEPENDENT_ATTENDS, _ = DIRECTIONS


def counted(evidence: Evidence) -> list[RelationHead]:
    """The chosen heads of all relations with enough words; rows that are no relation between words are left out.

    Raises NotTestable if no relation has enough.
    """
    found = [
        item
        for item in chosen_heads(evidence)
        if item.relation not in NOT_RELATIONS and item.accuracy.n >= FEWEST_WORDS
    ]
    if not found:
        raise NotTestable(f"no relation of the treebank that was read has {FEWEST_WORDS} words in the reported half")
    return found


def surely_found(evidence: Evidence) -> list[RelationHead]:
    """The heads of `counted` that are surely better than the best fixed offset, and than the best head of every
    untrained twin, and that no counts of treebanks contradict.

    Raises NotTestable if there is none.
    """
    found = [item for item in counted(evidence) if item.found]
    (*_, read), counts = evidence.trail, Counts.in_tables(evidence.seen)
    found = [
        item
        for item in found
        if not counts.against(item.relation, item.direction, (item.layer, item.head), but=read.corpus)
    ]
    if not found:
        raise NotTestable(
            f"no head is surely better than the best fixed offset, and than untrained weights, at a relation that has "
            f"{FEWEST_WORDS} words, without another treebank that contradicts"
        )
    evidence.named += sorted({(item.layer, item.head) for item in found})
    return found


def relation(evidence: Evidence, names: Sequence[str]) -> RelationHead:
    """The chosen head of a relation, which may go by several names.

    Raises NotTestable if the treebank does not have the relation, if its language does not mark the relation by a word
    of its own, and if its language is not known.
    """
    chosen_heads(evidence)  # so that the trail says which treebank, and with it which language
    if not evidence.language:
        raise NotTestable(
            "the language of the treebank is not known, and the claim was made on English; name it with a line "
            "'# language = en' in the file, or another code, and analyse again"
        )
    if otherwise := marked_otherwise(evidence.language, names):
        language = language_name(evidence.language)
        raise NotTestable(
            f"{language} has no words that are {in_words(names[0])}: {otherwise.how} ({otherwise.source})"
        )
    return chosen_head(evidence, *names)


def gain(evidence: Evidence, names: Sequence[str], key: str) -> Number:
    """How much more often the head of a relation is right than the best fixed offset.

    Raises NotTestable if the offset leaves no room for a gain: if no head, however good, could change the verdict on
    the part with this key.
    """
    found = relation(evidence, names)
    least, most = -found.baseline, 1 - found.baseline
    for bound in parse(in_force(key).text):
        if bound.met(least) == bound.met(most):
            raise NotTestable(
                f"a fixed offset finds {percent(alone(found.baseline))} of the {in_words(found.relation)} already, so "
                f"that no head can gain more than {number(most)}, and whether the gain is {bound} is settled"
            )
    return found.gain


def gain_part(key: str, what: str, names: Sequence[str]) -> Part:
    """The part of a claim that says whether a relation's head is better than the best fixed offset."""
    return part(key, f"the gain {what}", "share", partial(gain, names=names, key=key), over="words")


def share_by_head(items: Sequence[tuple[RelationHead, bool]], seed: int) -> Number:
    """The share of relations for which something is true; the interval resamples heads, each with all its relations,
    and is no narrower than Wilson's over heads.

    `n` counts distinct heads: seven relations of one head are one observation.
    """
    places = sorted({(item.layer, item.head) for item, _ in items})
    at = np.array([places.index((item.layer, item.head)) for item, _ in items])
    true = np.bincount(at, weights=[float(truth) for _, truth in items])
    found = bootstrap_ratio(true, np.bincount(at), seed)
    value, low, high = (float(end) for end in found[:3])
    wilson = proportion(round(value * len(places)), len(places))
    return Number(value, min(low, wilson.low), max(high, wilson.high), len(places))


def _everything(evidence: Evidence) -> Number:
    return chosen_head(evidence, ALL).accuracy


def _untrained(evidence: Evidence) -> Number:
    return defined(chosen_head(evidence, ALL).twin, NO_TWIN)


C13 = Claim(
    id="C13",
    title="No single head parses well",
    statement="No single head finds the syntactic heads of all words well.",
    paper=CLARK,
    section="4.2, Table 1",
    measure=(
        "Share of all words whose head word the best single head finds; it is chosen on one half of the "
        "sentences, and the sentences of the other half are resampled. It holds only where it says more than of "
        "untrained weights, whose best head finds fewer."
    ),
    needs="a treebank: fieldguide analyze MODEL; and an untrained model whose best head does no worse",
    parts=(
        part(
            "C13.1",
            "the accuracy of the best head for all words",
            "share",
            _everything,
            over="words",
            null=Null("an untrained model", _untrained),
        ),
    ),
    published=("clark.table1.all.accuracy", "clark.table1.all.baseline"),
    comparable=("clark.table1.all.accuracy",),
    which=ON_SENTENCES,
)


C19 = Claim(
    id="C19",
    title="Heads beat a fixed offset for some relations only",
    statement=(
        "Particles, clausal complements and markers have good heads; for noun compounds a fixed offset is as good."
    ),
    paper=CLARK,
    section="4.2, Table 1",
    measure=(
        "Gain in accuracy of the best head over the best fixed offset, for each relation; head and offset are chosen "
        "on one half of the sentences; those of the other half are resampled. The paper's prep has no counterpart in "
        'Universal Dependencies, which call the "to" of an infinitive a marker, too; the paper\'s relations do not.'
    ),
    needs="a treebank with particles, clausal complements, markers and compounds: fieldguide analyze MODEL",
    parts=(
        gain_part("C19.1", "for particles", ("compound:prt", "prt")),
        gain_part("C19.2", "for clausal complements", ("ccomp",)),
        gain_part("C19.3", "for markers", ("mark",)),
        gain_part("C19.4", "for noun compounds", ("compound", "nn")),
    ),
    published=tuple(
        f"clark.table1.{relation}.{column}"
        for relation in ("prt", "ccomp", "mark", "nn", "prep")
        for column in ("accuracy", "baseline")
    ),
    which=ON_SENTENCES,
)


def _dependents_attend(evidence: Evidence) -> Number:
    found = surely_found(evidence)
    return share_by_head([(item, item.direction == DEPENDENT_ATTENDS) for item in found], SEED)


C20 = Claim(
    id="C20",
    title="Dependents attend to their head words",
    statement="In the best heads the dependent attends to its head word, rather than the reverse.",
    paper=CLARK,
    section="4.2",
    measure=(
        f"Share of relations with {FEWEST_WORDS} words or more in whose best head the dependent attends to its head "
        "word, of those whose best head is surely better than the best fixed offset and than untrained weights, and in "
        "no other treebank right no more often than the offset. A head that serves several relations is one head: "
        "heads are resampled, each with all of its relations, and the interval is no narrower than Wilson's over "
        "heads, or the exact one of fewer than ten."
    ),
    needs=f"a treebank with relations of {FEWEST_WORDS} words or more: fieldguide analyze MODEL",
    parts=(
        part(
            "C20.4",
            "the share of relations in which the dependent attends to its head word",
            "share",
            _dependents_attend,
            over="heads",
        ),
    ),
    published=("clark.directions.printed", "clark.directions.notebook"),
    comparable=("clark.directions.printed", "clark.directions.notebook"),
    which="surely better than the best fixed offset at finding some relation",
)

CLAIMS = (C13, C19, C20)
