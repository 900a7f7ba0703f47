"""One encoder, some corpora -> the tables of its results: inputs, passes, and to each study what it needs."""
