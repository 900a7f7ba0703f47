"""The pages of the other studies, and what they share."""
