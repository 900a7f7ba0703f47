"""What studies make of the inputs that they ask for, which are read in a pass over the text as in an analysis."""

from generator.attention.stream import Options
from generator.studies.gathered import asking
from generator.survey.passes import pass_over_text
from generator.topics.inputs.compute import begin_token, no_op
from generator.topics.inputs.compute.begin_token import BeginCurves
from generator.topics.inputs.compute.manipulations import ManipulationRows
from generator.topics.inputs.compute.mask_rows import MaskRows
from generator.topics.inputs.compute.no_op import ReceivedByHidden
from generator.topics.inputs.compute.separators import SeparatorRuns, SingleAndPair


def read(encoder, anatomy, inputs, gathered):
    """Read a text, and what is asked for beside it; returns what was gathered."""
    watchers = [asking(dict, gathered)]
    for reading in pass_over_text(encoder, anatomy, inputs, Options(), 0, 1, watchers).by_model:
        reading()
    return gathered


def separator_facts(encoder, anatomy, corpus, inputs, seed):
    """`facts` about changed separators."""
    return read(encoder, anatomy, inputs, SeparatorRuns(inputs, seed)).facts(encoder.id, corpus, seed)


def single_and_pair_facts(encoder, anatomy, corpus, inputs, seed):
    """`facts` about one segment instead of two."""
    return read(encoder, anatomy, inputs, SingleAndPair(inputs, seed)).facts(encoder.id, corpus, seed)


def manipulation_facts(encoder, anatomy, corpus, inputs, seed, masked_lm=None):
    """The tables of study "manipulations"."""
    return read(encoder, anatomy, inputs, ManipulationRows(encoder, inputs, seed)).tables(encoder.id, corpus, masked_lm)


def begin_facts(masked_lm, anatomy, corpus, inputs, seed):
    """`facts` of study "begin"."""
    curves = read(masked_lm.encoder, anatomy, inputs, BeginCurves(anatomy, inputs, seed))
    return begin_token.begin_facts(masked_lm, anatomy, corpus, curves, seed)


def no_op_facts(masked_lm, anatomy, corpus, inputs, seed):
    """`facts` of study "no-op"."""
    seen = read(masked_lm.encoder, anatomy, inputs, ReceivedByHidden(masked_lm, anatomy, inputs, seed))
    return no_op.no_op_facts(masked_lm, anatomy, corpus, seen, seed)


def mask_row_facts(masked_lm, anatomy, corpus, inputs, seed):
    """`facts` of study "mask rows"."""
    rows = read(masked_lm.encoder, anatomy, inputs, MaskRows(masked_lm, inputs, seed))
    return rows.facts(masked_lm.encoder.id, corpus, seed)
