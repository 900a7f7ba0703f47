"""The context of a model's page on relations: what single heads find of syntax and coreference, against baselines."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from generator.claims.cutoffs import CLEAR_GAIN
from generator.corpora.kinds import CorpusKind
from generator.corpora.languages import language_name
from generator.numbers.writing import number
from generator.pages import addresses
from generator.pages.blocks import Cell, Table
from generator.pages.heads.atlas import Atlas
from generator.pages.links import to_head, to_model, to_models, to_reference, to_term
from generator.pages.relations.figure import DIRECTION, relation_figure
from generator.pages.relations.tables import coreference, probes, trees
from generator.pages.studies.contexts import ClearRelation, RelationsPage, Treebank
from generator.pages.studies.tables import (
    NOTHING,
    corpora,
    count,
    measured,
    records,
    stored,
    table,
    title,
    with_interval,
)
from generator.studies.halves import HELD_OUT, SAME_DATA
from generator.studies.syntax.predictions import DIRECTIONS
from generator.studies.syntax.relations import ALL, FEW_WORDS, TWINS

TITLE = "Relations"
NOT_RELATIONS = (ALL, "punct")
"""Named in no sentence: all words, and marks, whose head a treebank sets by convention."""
RIGHT_BRANCHING = 1


def there(atlas: Atlas) -> bool:
    """Whether a treebank or linked mentions were read."""
    return bool(len(atlas.results.table("relation_heads")) or len(atlas.results.table("antecedents")))


def relations_page(atlas: Atlas) -> RelationsPage:
    """Everything that was found about words of treebanks and about mentions."""
    here = addresses.relations(atlas.slug)
    manifest = atlas.results.manifest
    rows = atlas.results.table("relation_heads")
    treebanks = tuple(
        _treebank(atlas, name, rows[rows["corpus"] == name], number, here)
        for number, name in enumerate(corpora(rows, manifest.of(CorpusKind.TREEBANK)), start=1)
    )
    linked = coreference(atlas, here)
    return RelationsPage(
        models=to_models(here),
        model=to_model(atlas.slug, manifest.model, here),
        lead=_lead(treebanks, len(linked)),
        protocol=to_term("held-out-half", "held-out", here),
        sources=(
            to_reference("clark2019", "Clark et al. 2019", here),
            to_reference("htut2019", "Htut et al. 2019", here),
        ),
        twins=TWINS,
        treebanks=treebanks,
        coreference=linked,
    )


def _lead(treebanks: tuple[Treebank, ...], linked: int) -> str:
    text = " ".join(
        f"In {one.name}, {len(one.clear)} of {len(one.relations.rows)} dependency relations have a head that is "
        "clearly better than a fixed offset."
        for one in treebanks
    )
    return text or f"How often heads select an antecedent, in {linked} of the texts."


def _treebank(atlas: Atlas, corpus: str, rows: pd.DataFrame, place: int, page: str) -> Treebank:
    held = rows[rows["protocol"] == HELD_OUT].sort_values(["gain", "relation"], ascending=[False, True])
    of_relations = held[held["relation"] != ALL]
    listed = list(records(of_relations))
    clear = [row for row in listed if row["relation"] not in NOT_RELATIONS and is_clear(row)]
    same = {row["relation"]: row for row in records(rows[rows["protocol"] == SAME_DATA])}
    return Treebank(
        id=f"treebank-{place}",
        name=corpus,
        title=title(corpus),
        read=_read(atlas, corpus),
        clear=tuple(
            ClearRelation(
                row["relation"],
                to_head(atlas.slug, row["layer"], row["head"], page),
                f"gain {with_interval(row, 'gain', 'gain_low', 'gain_high')}, n {row['n']}",
            )
            for row in clear
        ),
        tested=(
            f"{len(listed)} relations with {FEW_WORDS} words or more were tried. A gain is called clear where it is "
            f"{number(CLEAR_GAIN)} or more and its 95 % interval lies above 0; each interval is for its relation alone."
        ),
        figure=relation_figure(atlas, corpus, of_relations, place, page) if listed else None,
        relations=_table(atlas, corpus, listed, same, page),
        words=_all_words(atlas, corpus, rows, page),
        trees=trees(atlas, corpus, page),
        probes=probes(atlas, corpus, page),
    )


def is_clear(row: Mapping[str, Any]) -> bool:
    """Whether a head is clearly better than the best fixed offset; False where the interval is undefined."""
    return bool(row["gain"] >= CLEAR_GAIN and row["gain_low"] > 0)


def _read(atlas: Atlas, corpus: str) -> str:
    counts = atlas.results.manifest.counts.get(corpus, {})
    language = language_name(atlas.results.manifest.languages.get(corpus, ""))
    text = f"{counts.get('sentences', 0):,} sentences of {counts.get('words', 0):,} words were read, in {language}"
    long = counts.get("long", 0)
    text += f"; {long:,} sentences longer than one input were left out." if long else "."
    for row in records(stored(atlas, "facts", corpus=corpus, study="words", name="split")):
        share = with_interval(row)
        text += f" The tokenizer splits a share of {share} of the words; attention to a split word is the sum over its "
        text += "pieces, attention from it their mean."
    return text


def _table(
    atlas: Atlas, corpus: str, rows: list[dict[str, Any]], same: Mapping[str, Mapping[str, Any]], page: str
) -> Table:
    layers, heads = atlas.shape
    tried = len(DIRECTIONS) * layers * heads
    columns = (
        to_term("dependency-relation", "relation", page),
        to_term("direction", "head, direction", page),
        "accuracy",
        to_term("n", "n, words", page),
        to_term("fixed-offset", "best offset", page),
        to_term("gain", "gain", page),
        to_term("untrained-twin", "untrained twin", page),
        to_term("rank", f"rank of {tried}", page),
        to_term("same-data", "same data: head", page),
        "same data: accuracy",
        "same data: gain",
    )
    return table(
        f"Relations of {corpus}, one head each",
        columns,
        (
            (
                Cell(row["relation"]),
                _head(atlas, row, page),
                measured(row),
                count(row["n"]),
                _offset(row),
                measured(row, "gain", "gain_low", "gain_high"),
                _twin(row),
                count(row["rank"]),
                *_same_data(atlas, same.get(row["relation"]), page),
            )
            for row in rows
        ),
    )


def _same_data(atlas: Atlas, row: Mapping[str, Any] | None, page: str) -> tuple[Cell, Cell, Cell]:
    if row is None:
        return NOTHING, NOTHING, NOTHING
    return _head(atlas, row, page), measured(row), measured(row, "gain", "gain_low", "gain_high")


def _head(atlas: Atlas, row: Mapping[str, Any], page: str) -> Cell:
    link = to_head(atlas.slug, row["layer"], row["head"], page)
    return Cell(link.text, link.href, DIRECTION.get(row["direction"], row["direction"]))


def _offset(row: Mapping[str, Any]) -> Cell:
    found = measured(row, "baseline", "baseline_low", "baseline_high")
    return Cell(f"{row['offset']:+d}: {found.text}", note=found.note)


def _twin(row: Mapping[str, Any]) -> Cell:
    """The mean of the draws, and below it the lowest and the highest."""
    return measured(row, "twin", "twin_low", "twin_high")


def _all_words(atlas: Atlas, corpus: str, rows: pd.DataFrame, page: str) -> Table:
    """All words together: the unlabelled attachment score."""
    of_all = {row["protocol"]: row for row in records(rows[rows["relation"] == ALL])}
    lines: list[tuple[Cell, ...]] = []
    for protocol, row in of_all.items():
        head = _head(atlas, row, page)
        gain = measured(row, "gain", "gain_low", "gain_high")
        lines += [
            (Cell("best head", note=protocol), head, measured(row), count(row["n"])),
            (Cell("its gain", note=protocol), NOTHING, gain, count(row["n"])),
            (Cell("best fixed offset", note=protocol), *_at_offset(row), count(row["n"])),
            (Cell("best head of the untrained twin", note=protocol), NOTHING, _twin(row), count(row["n"])),
        ]
    lines += _right_branching(atlas, corpus)
    columns = ("predictor", "head or offset", to_term("uas", "UAS", page), to_term("n", "n, words", page))
    return table(f"All words of {corpus}", columns, lines)


def _at_offset(row: Mapping[str, Any]) -> tuple[Cell, Cell]:
    return Cell(f"{row['offset']:+d}"), measured(row, "baseline", "baseline_low", "baseline_high")


def _right_branching(atlas: Atlas, corpus: str) -> Iterator[tuple[Cell, ...]]:
    for row in records(stored(atlas, "relation_baselines", corpus=corpus, relation=ALL, offset=RIGHT_BRANCHING)):
        share = Cell(number(row["correct"] / row["n"]))
        yield Cell("right-branching", note="all sentences"), Cell(f"{RIGHT_BRANCHING:+d}"), share, count(row["n"])
