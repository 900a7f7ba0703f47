"""Dependency relations in words: what the dependents of a relation are called, in the plural.

The labels are those of Universal Dependencies and of the Stanford scheme that Clark et al. 2019 used.
"""

from collections.abc import Mapping
from types import MappingProxyType

ALL = "all"
"""Stands for every word: the unlabelled attachment score. A root can never be right, as in the paper."""
NOT_RELATIONS = (ALL, "root", "punct")
"""Rows that are no relation between words: all words together, roots, and punctuation, whose head is a convention."""
DIRECTIONS = ("dep->head", "head<-dep")
_WORDS = {
    "acl": "clauses that describe a noun",
    "acl:relcl": "relative clauses",
    "advcl": "adverbial clauses",
    "advcl:relcl": "relative clauses about a whole clause",
    "advmod": "adverbs",
    "amod": "adjectives",
    "appos": "appositions",
    "aux": "auxiliary verbs",
    "aux:pass": "passive auxiliaries",
    "auxpass": "passive auxiliaries",
    "case": "prepositions and case markers",
    "cc": "conjunctions such as 'and'",
    "cc:preconj": "words such as 'both' before coordinated words",
    "ccomp": "clauses as objects",
    "compound": "parts of compounds",
    "clf": "classifiers",
    "compound:prt": "verb particles",
    "conj": "coordinated words",
    "cop": "forms of 'to be'",
    "csubj": "clauses as subjects",
    "dep": "words of an unspecified relation",
    "det": "determiners",
    "det:predet": "words such as 'all' before a determiner",
    "discourse": "interjections",
    "dislocated": "words moved to the edge of a clause",
    "dobj": "direct objects",
    "expl": "expletives such as 'there'",
    "fixed": "parts of fixed phrases",
    "flat": "parts of names",
    "goeswith": "parts of a word that is written apart",
    "iobj": "indirect objects",
    "list": "items of a list",
    "mark": "markers of clauses",
    "neg": "negations",
    "nmod": "nouns that describe a noun",
    "nmod:desc": "titles and descriptions of a name",
    "nmod:poss": "possessors",
    "nmod:unmarked": "nouns that describe a noun without a preposition",
    "nn": "nouns before a noun",
    "npadvmod": "noun phrases used as adverbs",
    "nsubj": "subjects",
    "nsubj:outer": "subjects of a predicate that is a clause",
    "nsubj:pass": "subjects of passive verbs",
    "nsubjpass": "subjects of passive verbs",
    "num": "numbers",
    "number": "parts of a number",
    "nummod": "numbers",
    "obj": "direct objects",
    "obl": "phrases that describe a verb",
    "obl:agent": "agents of passive verbs",
    "obl:unmarked": "phrases without a preposition that describe a verb",
    "orphan": "words that an ellipsis leaves behind",
    "parataxis": "clauses side by side",
    "partmod": "participles that describe a noun",
    "pcomp": "clauses after a preposition",
    "pobj": "objects of prepositions",
    "poss": "possessors",
    "possessive": "possessive endings",
    "prep": "prepositions",
    "prt": "verb particles",
    "punct": "punctuation marks",
    "quantmod": "words such as 'about' before a number",
    "rcmod": "relative clauses",
    "reparandum": "words that a speaker takes back",
    "tmod": "times without a preposition",
    "vocative": "people who are addressed",
    "xcomp": "complements without a subject",
}
RELATIONS: Mapping[str, str] = MappingProxyType(_WORDS)
"""Label of a relation -> what its dependents are called, in the plural."""
DIRECTION_IN_WORDS = MappingProxyType(dict(zip(DIRECTIONS, ("dependent to head", "head to dependent"), strict=True)))
"""Direction -> its name in the glossary, from the word that attends to the word attended to."""


def in_words(label: str) -> str:
    """A relation in words, or its label if there are none; for an unknown subtype the words of the main relation.

    >>> in_words("obj"), in_words("obl:tmod"), in_words("nonsense")
    ('direct objects', 'phrases that describe a verb (tmod)', 'nonsense')
    """
    whole, _, part = label.partition(":")
    if label in RELATIONS or whole not in RELATIONS:
        return RELATIONS.get(label, label)
    return f"{RELATIONS[whole]} ({part})"


def with_label(label: str) -> str:
    """A relation in words with its label.

    >>> with_label("obj"), with_label("obl:tmod"), with_label("nonsense")
    ('direct objects (obj)', 'phrases that describe a verb (obl:tmod)', 'nonsense')
    """
    words = beside_label(label)
    return f"{words} ({label})" if words else label


def beside_label(label: str) -> str:
    """The words that stand beside a label; empty if there are none. The label has the subtype, so these leave it out.

    >>> beside_label("obj"), beside_label("obl:tmod"), beside_label("nonsense")
    ('direct objects', 'phrases that describe a verb', '')
    """
    return RELATIONS.get(label) or RELATIONS.get(label.partition(":")[0], "")


def labels_of(plural: str) -> tuple[str, ...]:
    """All labels of relations with this name.

    >>> labels_of("direct objects")
    ('dobj', 'obj')
    """
    return tuple(label for label, words in RELATIONS.items() if words == plural)
