"""One gate between numbers and sentences: what is said declares what it rests on, and what could contradict it."""
