"""Runs that meet, are killed, or find a full disk or a broken file."""
