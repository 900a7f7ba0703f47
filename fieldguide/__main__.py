"""`python -m fieldguide` is the command `fieldguide`."""

import fieldguide  # finds the program
from generator.cli.app import main

assert fieldguide.__version__
if __name__ == "__main__":
    main()
