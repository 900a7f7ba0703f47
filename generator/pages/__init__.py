"""From stored results to finished HTML."""
