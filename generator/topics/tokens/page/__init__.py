"""The page of the roles of tokens."""
