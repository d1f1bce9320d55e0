"""Ops that steer a run: branches, loops, waiting, checks and prints."""
