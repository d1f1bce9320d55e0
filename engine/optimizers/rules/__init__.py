"""The update rules, a file for each."""
