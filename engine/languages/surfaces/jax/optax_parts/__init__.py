"""Further parts of optax: more directions, transformations around others, trees, and projections."""
