"""What an unattended rebuild needs: what has to be computed, which models have newer commits, and a summary."""
