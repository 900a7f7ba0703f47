"""The numbers that experiments store. They are declared here, because claims read them and stand below experiments."""
