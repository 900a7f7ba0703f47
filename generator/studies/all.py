"""All studies that an analysis makes, in the order in which the tables hold their rows."""

from generator.studies import measures
from generator.studies.procedure import Procedure
from generator.topics import of_topics

PROCEDURES: tuple[Procedure, ...] = (measures.PROCEDURE, *of_topics("compute", "PROCEDURE"))
