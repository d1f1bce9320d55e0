"""What the program's own control flow decided: its branches, the turns of its loops and of its tapes."""
