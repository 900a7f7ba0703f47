"""What an unattended rebuild needs: what has to be computed, and a summary of what came of it."""
