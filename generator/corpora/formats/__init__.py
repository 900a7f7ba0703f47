"""File formats that hold linked mentions or annotated frames."""
