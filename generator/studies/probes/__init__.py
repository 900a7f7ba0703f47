"""What all heads, or the hidden states, hold of words and trees: classifiers with controls."""
