"""The page of one head, and what is known of all heads."""
