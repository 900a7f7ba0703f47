"""Pictures of charts, shown by a page as it arrives: those that every model has are written here, Vega draws others."""
