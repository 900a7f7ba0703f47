"""The pages of studies, and what they share."""
