"""Words of several pieces (Clark et al. 2019, section 4.1) and links of words (Kovaleva et al. 2019, section 4.5)."""

from functools import partial

import numpy as np

from generator.claims.bounds import cutoff
from generator.claims.claim import Claim, part, stored_part
from generator.claims.clark.position import CLARK
from generator.claims.cutoffs import SEED
from generator.claims.evidence.evidence import Evidence
from generator.claims.kovaleva.attention import KOVALEVA
from generator.claims.missing import NO_PAIRS, NO_SHARE, defined
from generator.numbers.number import Number
from generator.numbers.resampling import proportion
from generator.studies.over_heads import links_next_door
from generator.topics.learning.claims.before import before_training
from generator.topics.relations.records.trees import WORDS

LITTLE = cutoff("loss-little")


def _lose_little(evidence: Evidence) -> Number:
    loss = evidence.head_facts("words", "special.loss").value
    evidence.name(loss < LITTLE)
    return defined(proportion(int((loss < LITTLE).sum()), loss.size), NO_SHARE)


C12 = Claim(
    id="C12",
    title="Few words are split, and special tokens hardly disturb",
    statement=(
        "About 8 % of the words are split into several pieces; whether [CLS] and [SEP] may be picked hardly changes "
        "how often most heads are right."
    ),
    paper=CLARK,
    section="4.1",
    measure=(
        "Share of a treebank's words with more than one piece; share of heads whose accuracy over all words, from "
        f"dependent to head word, falls by less than {LITTLE} if special tokens may be picked, with Wilson's "
        "interval over heads. The second number counts only where it says more than of the same model before training."
    ),
    needs="a treebank: fieldguide analyze MODEL; and the model before its training: fieldguide curve RUN_OR_LIST",
    parts=(
        stored_part("C12.1", "the share of words with more than one piece", WORDS, "split", over="sentences"),
        part(
            "C12.2",
            "the share of heads that lose little accuracy where special tokens may be picked",
            "share",
            _lose_little,
            over="heads",
            null=before_training("C12.2"),
        ),
    ),
    published=("clark.words.split",),
    comparable=("clark.words.split",),
    numbers=("claim/C12.2", "words/special.loss", "words/split"),
    which="hardly disturbed by special tokens",
)


def _diagonal_links(evidence: Evidence, link: str) -> Number:
    beside = evidence.mean("attention.previous"), evidence.mean("attention.next")
    links = evidence.head_facts("words", f"link.{link}").value
    found = defined(links_next_door(links, *beside, SEED), NO_PAIRS)
    evidence.name(links == np.nanmax(links))
    return found


K13 = Claim(
    id="K13",
    title="Heads that link verbs and subjects look next door",
    statement=(
        "Heads that link verbs with subjects, or nouns with pronouns, are those that attend to neighbouring tokens."
    ),
    paper=KOVALEVA,
    section="4.5",
    measure=(
        "Spearman's correlation over heads of the largest weight between such words with the attention to the previous "
        "and the next token; heads are resampled."
    ),
    needs="a treebank with verbs, subjects, nouns and pronouns: fieldguide analyze MODEL",
    parts=(
        part(
            "K13.1",
            "the rank correlation of verb-subject links with attention to neighbours",
            "correlation",
            partial(_diagonal_links, link="verb_subject"),
            over="heads",
        ),
        part(
            "K13.2",
            "the rank correlation of noun-pronoun links with attention to neighbours",
            "correlation",
            partial(_diagonal_links, link="noun_pronoun"),
            over="heads",
        ),
    ),
    measures=("attention.previous", "attention.next"),
    numbers=("words/link.noun_pronoun", "words/link.verb_subject"),
    which="with the strongest links between verbs and subjects or nouns and pronouns",
)

CLAIMS = (C12, K13)
