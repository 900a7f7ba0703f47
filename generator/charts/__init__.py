"""Kinds of chart, compiled once, and every colour."""
