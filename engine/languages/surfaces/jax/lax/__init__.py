"""The primitives, each in one block: what it computes, its types, its tangent, transpose, and batches."""
