"""The attention that tokens receive, by type, role, frequency and place."""
