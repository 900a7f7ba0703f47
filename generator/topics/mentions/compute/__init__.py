"""What heads do with linked mentions: antecedents of pronouns and names, and answers to questions."""
