"""Functions of `torch.nn.functional` that layers compute: dropout, normalization, convolution, pooling."""
