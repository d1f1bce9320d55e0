"""Distributions of choices: one as a vector, how often each comes, softened ones, mixtures."""
