"""Text: documents, corpora, and the pairs of paragraphs that a model reads."""
