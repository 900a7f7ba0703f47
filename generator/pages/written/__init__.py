"""What hand-written pages say from live numbers: sentences, verdicts, comparisons of models, growth of costs."""
