"""An analysis as jobs: what a job is, and where it runs."""
