"""Long runs: training that takes hours and leaves models to be observed."""
