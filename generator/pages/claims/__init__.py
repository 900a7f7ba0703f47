"""The pages of the claims and their block on hand-written pages."""
