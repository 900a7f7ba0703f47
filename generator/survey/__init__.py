"""Makes the tables of one encoder on some corpora: makes inputs, runs passes, gives each study what it needs."""
