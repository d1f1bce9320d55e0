"""The REST interface: a file for each noun."""
