"""All studies that an analysis makes, in the order in which the tables hold their rows."""

from generator.studies import measures
from generator.studies.procedure import Procedure
from generator.topics import given

PROCEDURES: tuple[Procedure, ...] = (measures.PROCEDURE, *given("compute", "PROCEDURE"))
