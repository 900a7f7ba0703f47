"""All studies that an analysis makes, in the order in which the tables hold their rows."""

from generator.studies import measures
from generator.topics.distances.compute import study as distances
from generator.topics.frames.compute import features, frames
from generator.topics.inputs.compute import begin_token, manipulations, no_op, occlusion, separators
from generator.topics.mentions.compute import answers, antecedents
from generator.topics.probes.compute import probes, usability
from generator.topics.relations.compute import arrows, deciles, links, relations, resting, trees
from generator.topics.tokens.compute import frequency, matching, maxima, model_facts, roles, sinks, types
from generator.topics.vectors.compute import contextuality, input_importance

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
