"""Makes of a model the files that a browser runs it from."""
