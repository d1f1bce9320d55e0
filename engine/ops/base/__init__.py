"""What every op is made of: its definition, shape rules, and how a node is added."""
