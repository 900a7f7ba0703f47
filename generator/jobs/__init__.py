"""An analysis as jobs: what one is, and where it runs."""
