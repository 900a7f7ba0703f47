"""The page of frames and of kinds of words."""
