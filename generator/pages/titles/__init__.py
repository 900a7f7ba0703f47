"""Titles of figures that show one number of many heads, layers, steps or cut-offs."""
