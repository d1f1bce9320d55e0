"""`torch.utils.data`: data sets, samplers and loaders of batches."""
