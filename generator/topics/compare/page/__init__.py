"""The pages of a model beside its fine-tuned copies."""
