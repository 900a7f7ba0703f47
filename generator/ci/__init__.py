"""What a rebuild without anybody watching needs to know: what is to be computed, and what came of it."""
