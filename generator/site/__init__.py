"""Publishing: the MkDocs plugin, its assets, building and serving."""
