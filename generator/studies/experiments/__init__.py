"""The records of numbers that experiments store; they are here because claims read them but import no experiment."""
