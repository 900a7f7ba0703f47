"""The pages that set two models side by side."""
