"""The names that a head may have, and the words for what it finds, the pattern of its maps, or its window."""
