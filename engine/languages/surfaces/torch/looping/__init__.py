"""Training loops of PyTorch whose turns are the same again: stretches of their bodies as one function."""
