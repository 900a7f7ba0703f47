"""The same as in `roles`, for the claims about the token on which a model's own attention rests."""

import numpy as np

from tests.claims.made import HEADS, LAYERS, TREEBANK, Tables, by_layer, head_facts, heads_at, relation, text

NAMES = tuple(f"document {number:02}" for number in range(48))
"""Twice as many as elsewhere: one half chooses, and the other reports."""
DIFFERING = np.random.default_rng(0).choice([-1.0, 1.0], len(NAMES))[:, None, None]
KINDS = ("cls", "sep", "punctuation")
FINDING = ((6, 1), (7, 2), (9, 1))


def rested(documents=48, spread=0.0, uniform=0.02, **shares):
    """H13, H14: what [CLS], [SEP], and periods and commas get in layer 8, and less elsewhere; chance gives 0.02."""
    columns = {
        f"attention.{kind}": by_layer({8: share}, share / 4)
        for kind, share in (dict.fromkeys(KINDS, 0.03) | shares).items()
    }
    columns["attention.cls"] = columns["attention.cls"] + spread * DIFFERING[:documents] * by_layer({8: 1.0})
    chance = {f"attention.{kind}": uniform for kind in KINDS}
    return [text(columns, uniform=chance, documents=NAMES[:documents])]


def in_sentences(corpus=TREEBANK, **shares):
    """H13: what words of a treebank give these tokens in layer 4, and less elsewhere."""
    return [
        head_facts("resting", f"{kind}.outside", by_layer({4: share}, share / 4).repeat(HEADS, 1), 0.001, corpus)
        for kind, share in (dict.fromkeys(KINDS, 0.03) | shares).items()
    ]


def written(norm, share=0.4, spread=0.0, kind="cls", **how):
    """H14: the share of norms of the sink in layer 8; other tokens have as large a share as they get attention."""
    columns = {f"attention.{one}": by_layer({8: share if one == kind else 0.03}, 0.03) for one in KINDS}
    norms = {f"norm.{one}": columns[f"attention.{one}"] for one in KINDS}
    norms[f"norm.{kind}"] = by_layer({8: norm}, share) + spread * DIFFERING * by_layer({8: 1.0})
    return [text(columns | norms, documents=NAMES, **how)]


def outside(lead, others=0.0, twin=0.0, kind="cls", heads=3, spread=0.005, gain=0.3, share=0.4, corpus=TREEBANK):
    """H15: by how much words outside the relation give the sink more: heads that find one, others, and a twin's."""
    places = FINDING[:heads]
    differing = sum(heads_at(place, value=sign * spread) for place, sign in zip(places, (-1, 1, 0), strict=False))
    leads = heads_at(*places, value=lead, other=others) + differing
    stored = [
        head_facts("resting", f"{of}{one}.{side}", np.full((LAYERS, HEADS), 0.4) + more, corpus=corpus)
        for of, grid in (("", leads), ("twin.", np.full((LAYERS, HEADS), twin)))
        for one in KINDS
        for side, more in (("outside", grid if one == kind else -grid), ("inside", 0.0))
    ]
    found = [relation(f"r{at}", 0.7, gain, place) for at, place in enumerate(places)]
    resting = {f"attention.{one}": by_layer({(6, 10): share if one == kind else 0.03}, 0.03) for one in KINDS}
    return [text(resting, documents=NAMES), *found, *stored]


def _of_twin(tables: Tables) -> bool:
    return "head_facts" in tables and tables["head_facts"]["name"][0].as_py().startswith("twin.")


CASES = {
    "H13": {
        "holds": rested(cls=0.4),
        "holds, the other token in a fixed place": rested(sep=0.4),
        "holds, just": rested(cls=0.4, punctuation=0.39),
        "holds, just attended": rested(cls=0.041),
        "fails": rested(punctuation=0.4),
        "fails, just": rested(cls=0.39, punctuation=0.4),
        "fails, where sentences are not sure": [*rested(punctuation=0.4), *in_sentences(cls=0.401, punctuation=0.4)],
        "fails, in sentences too": [*rested(punctuation=0.4), *in_sentences(cls=0.4, punctuation=0.41)],
        "inconclusive": rested(cls=0.4, punctuation=0.4, spread=0.1),
        "inconclusive, as sentences rest on [CLS]": [
            *rested(punctuation=0.4),
            *in_sentences(cls=0.41, punctuation=0.4),
        ],
        "inconclusive, as sentences rest on [SEP]": [
            *rested(punctuation=0.4),
            *in_sentences(sep=0.41, punctuation=0.4),
        ],
        "inconclusive, as sentences rest on periods": [*rested(cls=0.4), *in_sentences(cls=0.4, punctuation=0.41)],
        "holds, in sentences too": [*rested(cls=0.4), *in_sentences(cls=0.41, punctuation=0.4)],
        "not testable": rested(),
        "not testable, just not attended": rested(cls=0.039),
        "not testable, no more than chance": rested(cls=0.4, uniform=0.3),
        "not testable, one half has too few": rested(cls=0.4, documents=38),
    },
    "H14": {
        "holds": written(0.1),
        "holds, just": written(0.196),
        "holds, periods and commas": written(0.1, kind="punctuation"),
        "fails": written(0.4),
        "fails, just": written(0.204),
        "inconclusive": written(0.2, spread=0.1),
        "not testable": written(0.1, share=0.039),
        "not testable, maps without values": written(float("nan")),
    },
    "H15": {
        "holds": outside(0.2),
        "holds, on periods and commas": outside(0.2, kind="punctuation"),
        "holds, just": outside(0.124),
        "holds, just more than others": outside(0.3, others=0.27),
        "holds, just more than a twin": outside(0.3, twin=0.27),
        "fails": outside(-0.2),
        "fails, just too little": outside(0.076),
        "fails, just no more than others": outside(0.3, others=0.33),
        "fails, just no more than a twin": outside(0.3, twin=0.33),
        "inconclusive": outside(0.1, spread=0.1),
        "inconclusive, all of a handful above": outside(0.2, spread=0.06),
        "not testable, without a twin": [one for one in outside(0.2) if not _of_twin(one)],
        "not testable": outside(0.2)[:4],
        "not testable, no token rests": outside(0.2, share=0.039),
        "not testable, no function": outside(0.2, gain=0.05),
        "not testable, two heads": outside(0.2, heads=2),
    },
}
