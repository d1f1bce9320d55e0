"""`python -m gradlens` is the command `gradlens`."""

from gradlens.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
