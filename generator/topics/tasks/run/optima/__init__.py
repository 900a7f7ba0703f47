"""Where trainings on one task end: fine-tunings from one start and from several, and the straight line between two."""
