"""A class: a teacher and students who look at the same thing, and answer questions about it.

A class is rows of the database; each change is one transaction (`classroom.py`), and what it means to those
who follow goes out as numbered events (`channels.py`). No names, no addresses, no accounts: a student is a
random token, of which only the hash is kept.
"""
