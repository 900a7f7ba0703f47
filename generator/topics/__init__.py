"""One folder for each question: its records, its computing, its claims, its charts and its page."""
