"""`torch.autograd.functional` and `torch.func`: derivatives of functions."""
