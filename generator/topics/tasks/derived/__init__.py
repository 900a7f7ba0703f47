"""What pages compute from stored scores of disabled heads."""
