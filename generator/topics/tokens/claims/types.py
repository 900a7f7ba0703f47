"""The token types that are followed through the layers, as claims read them."""

import pandas as pd

from generator.claims.evidence.evidence import Evidence
from generator.topics.tokens.records.tokens import ROLES


def followed_types(evidence: Evidence) -> pd.DataFrame:
    """One row per followed token type and layer. Raises NotTestable."""
    table = evidence.table("roles")
    if not len(table):
        raise evidence.missing(ROLES.name)
    return table
