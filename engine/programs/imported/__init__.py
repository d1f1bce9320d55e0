"""A graph that another program wrote, and what is asked of it: its nodes, values, gradients, files."""
