"""The records of all studies whose numbers are stored, experiments included, or are computed from stored tables.

Every study has its record here; what it stores, and what claims and pages read of it, is checked against the record.
This module imports little, so that pages and claims can use it.
"""

from collections.abc import Mapping
from functools import lru_cache

from generator.numbers.quantity import Quantity, Study, Undeclared
from generator.studies.measured_quantities import MEASURED
from generator.studies.told_quantities import MADE_FOR_PAGES
from generator.topics.compare.records.changes import OF_CHANGES, OF_TASKS
from generator.topics.compare.records.comparison import COMPARISON
from generator.topics.distances.records import LANDSCAPE
from generator.topics.frames.records import FEATURE, FRAME
from generator.topics.inputs.records.inputs import BEGIN, MANIPULATIONS, NO_OP, OCCLUSION
from generator.topics.inputs.records.separators import SEPARATORS
from generator.topics.layers.records import OVER_HEADS, PATTERN_SHARES, PHASES, TYPICAL
from generator.topics.learning.records import curves, runs
from generator.topics.mentions.records import ANSWERS, ANTECEDENTS
from generator.topics.probes.records import PROBE, USABILITY
from generator.topics.relations.records import ARROWS, DECILES, RELATIONS, RESTING, TREES, WORDS
from generator.topics.seeds.records import SEEDS
from generator.topics.tasks.records import DISABLING, PRUNING, SCORES
from generator.topics.tokens.records.matching import MATCHING
from generator.topics.tokens.records.tokens import MAXIMA, MODEL, NORMS, ROLES, SINKS, TOKEN_TYPES
from generator.topics.vectors.records.contextuality import CONTEXTUALITY
from generator.topics.vectors.records.gradients import GRADIENT

ANALYSIS = (
    *(MEASURED, MODEL, ROLES, TOKEN_TYPES, LANDSCAPE, SINKS, MAXIMA, MATCHING, NORMS),
    *(CONTEXTUALITY, GRADIENT),
    *(MANIPULATIONS, BEGIN, NO_OP, SEPARATORS, OCCLUSION),
    *(RELATIONS, ARROWS, DECILES, TREES, WORDS, RESTING, PROBE, USABILITY, FEATURE, FRAME, ANTECEDENTS, ANSWERS),
)
"""The studies that an analysis makes."""
EXPERIMENTS = (SCORES, DISABLING, PRUNING, COMPARISON, SEEDS)
"""The studies that experiments store in `facts` and `head_facts`."""
CURVES = (
    *(curves.MEASURE, curves.SIGNATURE, curves.ORDER, curves.RELATIONS, curves.RELATION_BASELINE, curves.CLAIM),
    *(curves.FACT, curves.TYPES, runs.TRAINING, runs.TRAINING_BASELINE, runs.WEIGHTS, runs.TUNING),
    *(runs.TUNING_BASELINE, runs.WITHOUT),
)
"""The studies that learning curves store in `curves` and `rises`."""
DERIVED = (PHASES, PATTERN_SHARES, TYPICAL, OVER_HEADS, *MADE_FOR_PAGES, OF_CHANGES, OF_TASKS)
"""The studies that are computed from stored tables when needed: no table holds them, and `study_of` knows none."""
STUDIES: tuple[Study, ...] = (*ANALYSIS, *EXPERIMENTS, *CURVES)
_BY_NAME: Mapping[str, Study] = {study.name: study for study in STUDIES}


def study_of(name: str) -> Study:
    """The study of a stored name. Raises Undeclared."""
    found = _BY_NAME.get(name.partition(":")[0])
    if found is None or not found.owns(name):
        raise Undeclared(f'Expected a declared study, found "{name}"; there are {", ".join(_BY_NAME)}.')
    return found


@lru_cache(maxsize=1 << 14)
def quantity_of(study: str, name: str) -> Quantity:
    """The record of a number by the two names under which it is stored. Raises Undeclared."""
    return study_of(study).quantity(name)
