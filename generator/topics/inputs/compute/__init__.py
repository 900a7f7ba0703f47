"""What changes when the input does: masks, segments, separators, tokens cut off."""
