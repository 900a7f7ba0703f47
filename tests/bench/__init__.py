"""How fast and how small, as ratios measured within one run, because machines are shared and noisy; no tests."""
