"""Pictures of charts that are in a page when it arrives: those of heads by short writers, all others by Vega."""
