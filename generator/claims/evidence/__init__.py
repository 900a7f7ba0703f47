"""What a claim may see of one model."""
