"""The page on trainings that differ in their objective, and what hand-written pages say of them."""
