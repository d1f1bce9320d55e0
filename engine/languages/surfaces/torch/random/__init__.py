"""PyTorch's random numbers, bit for bit: its generator for processors, and what is drawn from it."""
