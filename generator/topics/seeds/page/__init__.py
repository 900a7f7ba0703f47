"""The page on trainings that differ in their seed."""
