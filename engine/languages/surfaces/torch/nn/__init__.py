"""`torch.nn`: parameters, modules and what modules are made of."""
