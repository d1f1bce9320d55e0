"""From a text to a syntax tree, and from a mistake back to its place in the text."""
