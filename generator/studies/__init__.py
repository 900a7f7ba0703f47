"""Studies: numbers that are computed together, the records that say what each number is, and the code behind them."""
