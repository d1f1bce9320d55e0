"""Further functions of PyTorch, most of them made of others."""
