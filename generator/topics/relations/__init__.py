"""What heads find in a sentence's tree: dependency relations, whole trees, spans."""
