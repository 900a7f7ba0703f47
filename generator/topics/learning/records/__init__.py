"""Records of learning curves and of trainings."""
