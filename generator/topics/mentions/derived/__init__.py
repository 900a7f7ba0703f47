"""What follows from stored numbers of antecedents."""
