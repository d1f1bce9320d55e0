"""`torch.distributions`: Normal, Categorical and Bernoulli, and how far one is from another."""
