"""Pictures of charts, shown by a page as it arrives: those of heads and claims are written here, Vega draws others."""
