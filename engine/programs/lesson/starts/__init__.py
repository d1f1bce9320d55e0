"""Other numbers of a program's variables that a lesson may begin with."""
