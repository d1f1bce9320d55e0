"""PyTorch's functions, by topic: each with a gradient of its own is one block."""
