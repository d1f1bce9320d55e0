"""What the real libraries are asked: expressions, formulas and programs, drawn by a seed."""
