"""Variables: their nodes, their first values, the scopes that share them."""
