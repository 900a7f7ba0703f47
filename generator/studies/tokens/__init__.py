"""What tokens receive, by type, role, frequency and place."""
