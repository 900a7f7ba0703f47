"""Pictures of charts, which a page shows as it arrives: those of heads and claims are written here, Vega draws others."""
