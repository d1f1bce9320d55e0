"""Where values come from: constants, placeholders, variables, random numbers."""
