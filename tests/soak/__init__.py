"""What takes too long for `make test`: kills, faults and fuzzed readers. `make soak` prints figures with the date."""
