"""What stands between numbers and sentences: a name of a head is given only if every check of it is met."""
