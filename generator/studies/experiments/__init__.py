"""The records of what experiments store, and what pages compute from it; claims and pages import no experiment."""
