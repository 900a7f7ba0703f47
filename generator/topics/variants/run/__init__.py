"""Trainings of several objectives on the same held-out text: what they predict, attend to and contain."""
