"""What heads find of a sentence's tree: dependency relations, whole trees, spans."""
