"""The page's own layout, run on the server for pictures."""
