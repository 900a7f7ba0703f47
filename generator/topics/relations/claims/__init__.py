"""Claims about dependency relations and trees."""
