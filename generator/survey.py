"""One encoder, some corpora -> the tables of its results: make inputs, observe them, measure what was seen."""

from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from generator.attention.anatomy import Anatomy
from generator.attention.saved import SavedMaps
from generator.attention.stream import Options, observe
from generator.config import MIN_TOKENS, Analysis
from generator.corpora.catalogue import EXAMPLES, TREEBANK
from generator.corpora.document import Corpus, Document
from generator.corpora.frames import FrameSentence
from generator.corpora.kinds import CorpusKind
from generator.corpora.mentions import CorefDocument
from generator.corpora.opening import Corpora
from generator.corpora.pairs import Input, PairMaker
from generator.corpora.treebank import Sentence
from generator.errors import CorpusError
from generator.models.answering import Answering
from generator.models.encoder import Encoder
from generator.models.masked_lm import MaskedLM
from generator.numbers.resampling import FEW_DOCUMENTS
from generator.progress import Report
from generator.results.manifest import CorpusRecord
from generator.results.rows import CorpusRows, example_table, input_table
from generator.studies import treebanks
from generator.studies.frames import frames
from generator.studies.frames.frames import frame_inputs, frame_tables
from generator.studies.gradients.gradients import measure_gradients
from generator.studies.gradients.input_importance import importance_facts
from generator.studies.mentions import coreference
from generator.studies.mentions.answers import answer_facts
from generator.studies.mentions.coreference import mention_inputs, mention_tables
from generator.studies.probes.word_vectors import read_vectors
from generator.studies.texts import MapStudies, changed_inputs, vector_facts
from generator.studies.tokens.types import type_losses
from generator.studies.treebanks import treebank_inputs, treebank_tables

Tables = dict[str, list[pd.DataFrame]]


@dataclass(frozen=True)
class Survey:
    """What one encoder showed."""

    tables: dict[str, pd.DataFrame]
    corpora: tuple[CorpusRecord, ...]
    """With what was counted while they were read."""
    vocabulary: dict[str, str]
    """Vocabulary id -> token, of the sinks."""


class Surveyor:
    """Shows one encoder its corpora, one kind after the other, and gathers the tables."""

    def __init__(
        self,
        encoder: Encoder,
        anatomy: Anatomy,
        settings: Analysis,
        report: Report,
        masked_lm: MaskedLM | None = None,
        answering: Answering | None = None,
    ) -> None:
        self._encoder = encoder
        self._masked_lm = masked_lm
        self._answering = answering
        self._anatomy = anatomy
        self._settings = settings
        self._report = report
        self._maker = PairMaker(encoder.tokenizer, _max_tokens(encoder, settings, report), settings.seed)
        self._options = Options(smoothing=settings.entropy_smoothing, segments=settings.segment_ids)
        self._tables: Tables = defaultdict(list)
        self._counts: dict[tuple[str, CorpusKind], dict[str, int]] = {}

    def survey(self, corpora: Corpora) -> Survey:
        """Observe everything. Raises CorpusError when a corpus gives no input, before the first is observed."""
        texts = [(text, _inputs(self._maker, text, self._report)) for text in corpora.of(CorpusKind.TEXT)]
        banks = [(treebank, treebank_inputs(treebank, self._maker)) for treebank in corpora.of(CorpusKind.TREEBANK)]
        mentions = [(linked, mention_inputs(linked, self._maker)) for linked in corpora.of(CorpusKind.MENTIONS)]
        framed = [(corpus, frame_inputs(corpus, self._maker)) for corpus in corpora.of(CorpusKind.FRAMES)]
        for text, (inputs, counts) in texts:
            self._counts[text.name, text.kind] = counts
            self._text(text, inputs)
        for treebank, sentences in banks:
            self._treebank(treebank, sentences)
        for linked, documents in mentions:
            self._mentions(linked, documents)
        for corpus, linked_frames in framed:
            self._frames(corpus, linked_frames)
        if self._answering:
            for asked in corpora.of(CorpusKind.QUESTIONS):
                self._counts[asked.name, asked.kind] = {"questions": len(asked.items)}
                self._keep({"facts": [answer_facts(self._answering, asked)]})
        if texts:
            self._tables["examples"].append(self._examples())
        tables = {name: pd.concat(parts, ignore_index=True) for name, parts in self._tables.items() if parts}
        sinks = sorted(set(tables["documents"]["sink.token"])) if texts else []
        names = self._encoder.tokenizer.convert_ids_to_tokens(sinks)
        read = tuple(CorpusRecord.of(one, self._counts.get((one.name, one.kind), {})) for one in corpora.all)
        return Survey(tables, read, {str(i): str(name) for i, name in zip(sinks, names, strict=True)})

    def _text(self, corpus: Corpus[Document], inputs: list[Input]) -> None:
        encoder, settings = self._encoder, self._settings
        rows = CorpusRows(encoder.id, corpus.name)
        studies = None
        if settings.studies:
            shape = self._anatomy.layers, self._anatomy.heads
            pieces = encoder.tokenizer.convert_ids_to_tokens
            studies = MapStudies(encoder.id, corpus.name, shape, inputs, settings.seed, pieces)
        options = replace(self._options, keep_weights=settings.studies)
        with self._report.bar(f"{encoder.id} reads {corpus.name}", sum(map(len, inputs))) as advance:
            for seen in observe(encoder, self._anatomy, inputs, options):
                rows.add(seen)
                if studies:
                    studies.add(seen)
                advance(len(seen.input))
        tables = rows.tables(settings.seed)
        fed = encoder.segments and settings.segment_ids
        self._keep({name: [table] for name, table in tables.items()})
        self._keep({"inputs": [input_table(corpus.name, inputs, fed)]})
        if studies:
            self._keep(studies.tables(tables["heads"], type_losses(self._masked_lm, inputs, settings.seed)))
            of_model = encoder, self._anatomy, corpus.name, inputs, settings.seed
            self._keep({"facts": vector_facts(*of_model)})
            self._keep(changed_inputs(*of_model, masked_lm=self._masked_lm))
            self._gradients(corpus.name, inputs)

    def _gradients(self, corpus: str, inputs: list[Input]) -> None:
        """What the masked-LM loss makes of the weights, where the checkpoint has such a head."""
        if self._masked_lm is None:
            return
        self._report.note(f"{self._encoder.id}: gradients of the masked-LM loss on {corpus}.")
        self._keep(importance_facts(self._masked_lm, corpus, inputs, self._settings.seed))
        rows = measure_gradients(self._masked_lm, inputs, self._settings.seed)
        if rows is not None:
            of_model = self._encoder.id, corpus, self._settings.seed
            self._keep({"head_facts": [rows.head_facts(*of_model)], "facts": [rows.facts(*of_model)]})

    def _treebank(self, treebank: Corpus[Sentence], inputs: treebanks.Inputs) -> None:
        counts = self._counts[treebank.name, treebank.kind] = treebanks.counts_of(treebank, inputs)
        if counts["long"]:
            self._report.note(f"{counts['long']} sentences of {treebank.name} are longer than one input and left out.")
        file = self._settings.word_vectors
        words = {form for one, _ in inputs.values() for word in one.words for form in (word.form, word.form.lower())}
        vectors = read_vectors(Path(file), words) if file else None
        with self._report.bar(
            f"{self._encoder.id} reads {treebank.name}", treebanks.READINGS * counts["words"]
        ) as advance:
            tables = treebank_tables(
                *(self._encoder, self._anatomy, treebank.name, inputs, self._settings.seed, advance),
                shown=treebank.name == TREEBANK.name,
                vectors=vectors,
            )
        self._keep(tables)

    def _mentions(self, corpus: Corpus[CorefDocument], inputs: coreference.Inputs) -> None:
        self._counts[corpus.name, corpus.kind] = coreference.counts_of(inputs)
        words = sum(len(document.words) for document, _ in inputs.values())
        with self._report.bar(f"{self._encoder.id} links mentions of {corpus.name}", words) as advance:
            self._keep(mention_tables(self._encoder, self._anatomy, corpus.name, inputs, self._settings.seed, advance))

    def _frames(self, corpus: Corpus[FrameSentence], inputs: frames.Inputs) -> None:
        counts = self._counts[corpus.name, corpus.kind] = frames.counts_of(inputs)
        with self._report.bar(f"{self._encoder.id} reads the frames of {corpus.name}", counts["words"]) as advance:
            self._keep(frame_tables(self._encoder, self._anatomy, corpus.name, inputs, self._settings.seed, advance))

    def _keep(self, tables: Tables) -> None:
        for name, parts in tables.items():
            self._tables[name] += [part for part in parts if len(part)]

    def _examples(self) -> pd.DataFrame:
        texts = {str(number): text for number, text in enumerate(EXAMPLES, start=1)}
        inputs = [self._maker.sentence(name, text) for name, text in texts.items()]
        seen = list(observe(self._encoder, self._anatomy, inputs, replace(self._options, keep_weights=True)))
        tokens = {item.document: self._encoder.tokenizer.convert_ids_to_tokens(list(item.input_ids)) for item in inputs}
        return example_table(seen, texts, tokens)


def survey_maps(name: str, maps: SavedMaps, settings: Analysis, report: Report) -> Survey:
    """What saved maps show: all that needs weights and tokens alone. The shortest documents serve as examples."""
    rows = CorpusRows(name, maps.name)
    studies = MapStudies(
        *(name, maps.name, maps.shape, maps.inputs, settings.seed), lambda ids: [maps.vocabulary[at] for at in ids]
    )
    seen = []
    with report.bar(f"{name}: {maps.name}", sum(map(len, maps.inputs))) as advance:
        for one in maps.observe(settings.entropy_smoothing):
            rows.add(one)
            studies.add(one)
            seen.append(one)
            advance(len(one.input))
    shown = sorted(seen, key=lambda one: (len(one.input), one.input.document))[: len(EXAMPLES)]
    tokens = {one.input.document: [maps.vocabulary[at] for at in one.input.input_ids] for one in shown}
    tables = {key: [table] for key, table in rows.tables(settings.seed).items()}
    tables |= studies.tables(tables["heads"][0], {})
    tables["inputs"] = [input_table(maps.name, maps.inputs, segments=True)]
    tables["examples"] = [example_table(shown, {key: " ".join(each) for key, each in tokens.items()}, tokens)]
    counts = {"documents": len(seen), "inputs": len(seen), "tokens": sum(map(len, maps.inputs)), "split": 0, "short": 0}
    joined = {key: pd.concat(parts, ignore_index=True) for key, parts in tables.items()}
    read = CorpusRecord(maps.name, CorpusKind.TEXT, maps.sha256, counts=counts)
    return Survey(joined, (read,), {str(at): token for at, token in enumerate(maps.vocabulary)})


def _max_tokens(encoder: Encoder, settings: Analysis, report: Report) -> int:
    if settings.max_tokens > encoder.positions:
        report.note(
            f"{encoder.id} reads at most {encoder.positions} tokens, not {settings.max_tokens}: "
            "longer documents are split."
        )
    return max(min(settings.max_tokens, encoder.positions), MIN_TOKENS)


def _inputs(maker: PairMaker, corpus: Corpus[Document], report: Report) -> tuple[list[Input], dict[str, int]]:
    by_document = {document.id: maker.inputs(document) for document in corpus.items}
    used = {name: parts for name, parts in by_document.items() if parts}
    inputs = [item for parts in used.values() for item in parts]
    if not inputs:
        raise CorpusError(
            f"Expected documents of at least two paragraphs in {corpus.name}, found none among "
            f"{len(by_document)}; separate paragraphs by a blank line and documents by two, or by a line '# name'."
        )
    counts = {
        "documents": len(used),
        "inputs": len(inputs),
        "tokens": sum(map(len, inputs)),
        "split": sum(len(parts) > 1 for parts in used.values()),
        "short": len(by_document) - len(used),
    }
    if counts["split"]:
        report.note(f"{counts['split']} of {len(used)} documents of {corpus.name} are read in several parts.")
    if counts["short"]:
        report.warn(f"{counts['short']} documents of {corpus.name} have fewer than two paragraphs and are left out.")
    if len(used) < FEW_DOCUMENTS:
        report.warn(
            f"{corpus.name} has {len(used)} usable documents; with fewer than {FEW_DOCUMENTS} an interval means little."
        )
    return inputs, counts
