"""The pages of models: made anew, in one process or in several, kept from the last site, or gone."""
