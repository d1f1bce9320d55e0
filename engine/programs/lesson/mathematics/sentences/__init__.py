"""What a lesson at level Mathematics says, in both languages: a file for each kind of operation."""
