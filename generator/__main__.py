"""`python -m generator` is the command `fieldguide`."""

from generator.cli.app import main

if __name__ == "__main__":
    main()
