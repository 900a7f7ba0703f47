"""The page of syntax and coreference."""
