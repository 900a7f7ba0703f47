"""What all heads, or the hidden states, contain about words and trees: classifiers with controls."""
