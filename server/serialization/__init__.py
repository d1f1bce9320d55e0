"""Answers as bytes: ids, JSON of a bounded length, compression."""
