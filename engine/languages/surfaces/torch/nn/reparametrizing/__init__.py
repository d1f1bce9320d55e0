"""`torch.nn.utils` that computes a parameter from others: parametrizations, norms of weights, pruning."""
