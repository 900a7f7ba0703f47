"""All studies that an analysis makes, in the order in which the tables hold their rows."""

from generator.studies import measures
from generator.studies.distances import study as distances
from generator.studies.frames import features, frames
from generator.studies.gradients import input_importance
from generator.studies.inputs import begin_token, manipulations, no_op, occlusion, separators
from generator.studies.mentions import answers, antecedents
from generator.studies.probes import probes, usability
from generator.studies.syntax import arrows, deciles, links, relations, resting, trees
from generator.studies.tokens import frequency, matching, maxima, model_facts, roles, sinks, types
from generator.studies.vectors import contextuality

PROCEDURES = tuple(
    module.PROCEDURE
    for module in (
        measures,
        roles,
        types,
        matching,
        maxima,
        sinks,
        separators,
        distances,
        model_facts,
        contextuality,
        frequency,
        manipulations,
        occlusion,
        begin_token,
        no_op,
        input_importance,
        relations,
        arrows,
        trees,
        links,
        resting,
        features,
        probes,
        usability,
        deciles,
        antecedents,
        frames,
        answers,
    )
)
