"""PyTorch programs and what the real library made of them."""
