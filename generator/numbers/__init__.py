"""Numbers with intervals: how they are computed, combined and written."""
