"""A model beside its fine-tuned copies."""
