"""What functions of layers refuse, in PyTorch's words."""
