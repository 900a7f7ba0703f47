"""The pages of the claims, and the table of verdicts on hand-written pages."""
