"""Functions that are traced, and the jaxprs that come of it."""
