"""The same as in `clark`, for their claims about syntax, coreference, probes and clusters of heads."""

from tests.claims.cases.clark import NAN
from tests.claims.made import (
    LAYERS,
    TREEBANK,
    antecedents,
    fact,
    relation,
)


def one_relation(name, other, **place):
    """A relation by both of its names, in the right direction and not, found and not, and close to every bound."""
    sure = {"spread": 0.002} | place
    return {
        "holds": [relation(name, 0.8, 0.4, **place)],
        "holds, Stanford": [relation(other, 0.8, 0.4, **place)],
        "holds, just found": [relation(name, 0.51, 0.3, **sure)],
        "holds, just a gain": [relation(name, 0.8, 0.104, **sure)],
        "holds, just room": [relation(name, 0.999, 0.104, **sure)],
        "holds, just enough words": [relation(name, 0.8, 0.4, n=50, **place)],
        "fails": [relation(name, 0.3, 0.2, **place)],
        "fails, no gain": [relation(name, 0.8, 0.02, **place)],
        "fails, just not found": [relation(name, 0.49, 0.3, **sure)],
        "fails, just no gain": [relation(name, 0.8, 0.096, **sure)],
        "fails, just room for a gain": [relation(name, 0.89, -0.005, **sure)],
        "inconclusive": [relation(name, 0.6, 0.3, spread=0.15, **place)],
        "inconclusive, found as often as not": [relation(name, 0.505, 0.3, **place)],
        "not testable": [relation("flat", 0.8, 0.4)],
        "not testable, just no room for a gain": [relation(name, 0.9, -0.005, **sure)],
        "not testable, an offset is always right": [relation(name, 1.0, 0.0, **sure)],
        "not testable, just too few words": [relation(name, 0.8, 0.4, n=49, **place)],
        "not testable, other protocol": [relation(name, 0.8, 0.4, protocol="same data", **place)],
    }


def some_relations(prt, ccomp, mark, compound, spread=0.002, value=0.9, n=200):
    """C19: gains."""
    gains = {"compound:prt": prt, "ccomp": ccomp, "mark": mark, "compound": compound}
    return [relation(name, value, gain, spread=spread, n=n) for name, gain in gains.items()]


def heads_of_relations(direction="dep->head", count=10, gain=0.2):
    """C20: as many relations of a head each, and two that do not count."""
    counted = [relation(f"r{i}", 0.5, gain, (1 + i % LAYERS, 1), direction) for i in range(count)]
    others = [relation("punct", 0.5, 0.2, (1, 1), "head<-dep"), relation("rare", 0.5, 0.2, (1, 1), "head<-dep", n=49)]
    return [*counted, *others]


def one_busy_head(first, second, places, heads=10):
    """C20: a head that serves many relations read one way, and others with one relation each read the other way."""
    busy = [relation(f"busy{i}", 0.5, 0.2, (1, 2), first) for i in range(places)]
    return [*busy, *(relation(f"r{i}", 0.5, 0.2, (1 + i, 1), second) for i in range(heads))]


def mentions(head=0.65, head_match=0.15, rules=-0.04, simple=0.15, few=(), **options):
    """C21: the accuracy of the head and its gains, the same for every kind; `few` kinds have 49 mentions."""
    gains = {"head match": head_match, "rules": rules, "best simple": simple}
    made = [antecedents(head=head, **options)]
    for kind in ("all", "pronoun", "proper", "nominal"):
        n = 49 if kind in few else 60
        made += [antecedents(kind=kind, n=n, **options, **{f"gain over {name}": gain}) for name, gain in gains.items()]
    return made


def attention_probe(accuracy=0.6, lead=0.3):
    """C22."""
    return [
        fact("probe", "attention", accuracy, corpus=TREEBANK),
        fact("probe", "attention.minus.right-branching", lead, corpus=TREEBANK),
    ]


def words_probe(attention=0.17, distances=0.17, random=0.47):
    """C23: how far attention with word vectors is ahead of the others."""
    leads = {"attention": attention, "distances+words": distances, "random attention+words": random}
    return [fact("probe", f"attention+words.minus.{name}", lead, corpus=TREEBANK) for name, lead in leads.items()]


def alike(ratio, p, behaviour, spread=0.01):
    """C24."""
    numbers = {"ratio": ratio, "silhouette.behaviour": behaviour}
    made = [fact("landscape", name, value, spread) for name, value in numbers.items()]
    return [*made, fact("landscape", "p", p, NAN)]


CASES = {
    "C13": {
        "holds": [relation("all", 0.35, 0.08, twin=0.6), relation("det", 0.9, 0.4)],
        "holds, just": [relation("all", 0.49, 0.08, spread=0.005, twin=0.51)],
        "holds, just surely less than untrained weights": [relation("all", 0.35, 0.08, twin=0.371)],
        "not testable, not surely less than untrained weights": [relation("all", 0.35, 0.08, twin=0.369)],
        "not testable, untrained weights do worse": [relation("all", 0.35, 0.08, twin=0.1)],
        "not testable, no untrained model": [relation("all", 0.35, 0.08)],
        "fails": [relation("all", 0.7, 0.4)],
        "fails, untrained weights as well": [relation("all", 0.7, 0.4, twin=0.7)],
        "fails, just": [relation("all", 0.51, 0.08, spread=0.005)],
        "inconclusive": [relation("all", 0.5, 0.1)],
        "not testable": [relation("det", 0.9, 0.4)],
        "not testable, too few words": [relation("all", 0.35, 0.08, n=49)],
    },
    "C14": one_relation("obj", "dobj"),
    "C15": one_relation("det", "det"),
    "C16": {
        "holds": [relation("case", 0.8, 0.4)],
        "holds, Stanford": [relation("pobj", 0.8, 0.4, direction="head<-dep")],
        "holds, just": [relation("case", 0.51, 0.104, spread=0.002)],
        "fails": [relation("case", 0.8, 0.4, direction="head<-dep")],
        "fails, Stanford": [relation("pobj", 0.8, 0.4)],
        "fails, just not found": [relation("case", 0.49, 0.4, spread=0.002)],
        "fails, just no gain": [relation("case", 0.8, 0.096, spread=0.002)],
        "inconclusive": [relation("case", 0.5, 0.4)],
        "not testable": [relation("det", 0.8, 0.4)],
        "not testable, just too few words": [relation("case", 0.8, 0.4, n=49)],
        "not testable, no room for a gain": [relation("case", 0.95, 0.04)],
    },
    "C17": one_relation("nmod:poss", "poss"),
    "C18": one_relation("aux:pass", "auxpass"),
    "C19": {
        "holds": some_relations(0.05, 0.3, 0.3, 0.01),
        "holds, just": some_relations(0.0275, 0.104, 0.104, 0.096, value=0.85),
        "holds, just room for another verdict": some_relations(0.05, 0.3, 0.3, 0.01, value=0.905),
        "fails": some_relations(0.05, 0.3, 0.02, 0.01),
        "fails, just too little for particles": some_relations(0.0225, 0.3, 0.3, 0.01),
        "fails, just too little for complements": some_relations(0.05, 0.096, 0.3, 0.01),
        "fails, just too little for markers": some_relations(0.05, 0.3, 0.096, 0.01),
        "fails, just too much for compounds": some_relations(0.05, 0.3, 0.3, 0.104),
        "fails, compounds too": some_relations(0.05, 0.3, 0.3, 0.3),
        "inconclusive": some_relations(0.05, 0.3, 0.3, 0.05, spread=0.06),
        "not testable": some_relations(0.05, 0.3, 0.3, 0.01)[1:],
        "not testable, just no room for another verdict": some_relations(0.05, 0.3, 0.3, 0.01, value=0.915),
        "not testable, just too few words": some_relations(0.05, 0.3, 0.3, 0.01, n=49),
    },
    "C20": {
        "holds": heads_of_relations(),
        "holds, just enough heads": heads_of_relations(count=6),
        "inconclusive, just too few heads": heads_of_relations(count=5),
        "holds, heads that are not surely better do not count": [
            *heads_of_relations(count=6),
            *[relation(f"open{i}", 0.5, 0.009, (1 + i, 2), "head<-dep") for i in range(6)],
            *[relation(f"twin{i}", 0.5, 0.2, (1 + i, 2), "head<-dep", twin=0.491) for i in range(6)],
        ],
        "inconclusive, heads that are surely better do": [
            *heads_of_relations(count=6),
            *[relation(f"open{i}", 0.5, 0.011, (1 + i, 2), "head<-dep") for i in range(3)],
            *[relation(f"twin{i}", 0.5, 0.2, (4 + i, 2), "head<-dep", twin=0.489) for i in range(3)],
        ],
        "not testable, no head is surely better": heads_of_relations(gain=0.009),
        "fails": heads_of_relations("head<-dep"),
        "inconclusive": [*heads_of_relations(count=3), relation("other", 0.5, 0.2, (9, 1), direction="head<-dep")],
        "inconclusive, three heads": heads_of_relations(count=3),
        "inconclusive, most relations are of one head": one_busy_head("dep->head", "head<-dep", 15),
        "inconclusive, most relations are of one head the other way": one_busy_head("head<-dep", "dep->head", 15),
        "not testable": heads_of_relations(count=0),
        "not testable, two heads": heads_of_relations(count=2),
        "not testable, one head of many relations": one_busy_head("dep->head", "head<-dep", 15, heads=0),
    },
    "C21": {
        "holds": mentions(),
        "holds, just": mentions(head=0.511, head_match=0.111, rules=-0.089, simple=0.031),
        "holds, matching finds nothing": mentions(head_match=NAN),
        "holds, one kind is rare": mentions(few=("nominal",)),
        "fails": mentions(head_match=0.05),
        "fails, just wrong too often": mentions(head=0.489),
        "fails, just too little over matching": mentions(head_match=0.089),
        "fails, rules just too far ahead": mentions(rules=-0.111),
        "fails, a simple baseline is just as good": mentions(simple=0.009),
        "inconclusive": mentions(head_match=0.1),
        "not testable": mentions(candidates="words"),
        "not testable, same data": mentions(protocol="same data"),
        "not testable, no rules": mentions(rules=NAN),
    },
    "C22": {
        "holds": attention_probe(),
        "holds, just": attention_probe(0.511, 0.111),
        "fails": attention_probe(accuracy=0.4),
        "fails, just wrong too often": attention_probe(accuracy=0.489),
        "fails, chain just as good": attention_probe(lead=0.089),
        "inconclusive": attention_probe(accuracy=0.505),
        "not testable": attention_probe()[1:],
    },
    "C23": {
        "holds": words_probe(),
        "holds, just": words_probe(0.111, 0.011, 0.011),
        "fails": words_probe(attention=0.05),
        "fails, just not much better": words_probe(attention=0.089),
        "fails, distances just as good": words_probe(distances=-0.011),
        "fails, random just as good": words_probe(random=-0.011),
        "inconclusive": words_probe(attention=0.105),
        "not testable": words_probe()[:2],
    },
    "C24": {
        "holds": alike(0.8, 0.001, 0.2),
        "fails": alike(1.1, 0.9, 0.2),
        "fails, by chance": alike(0.98, 0.3, 0.2, spread=0.001),
        "holds, just": alike(0.939, 0.03, 0.061),
        "fails, just": alike(0.961, 0.001, 0.2),
        "fails, just by chance": alike(0.8, 0.07, 0.2),
        "fails, just no clusters": alike(0.8, 0.001, 0.039),
        "inconclusive": alike(0.8, 0.001, 0.05),
        "not testable": alike(0.8, 0.001, NAN),
    },
}
