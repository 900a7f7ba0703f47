"""What is shown of linked mentions: on the page of relations, and of heads that find antecedents."""
