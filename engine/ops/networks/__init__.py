"""What networks are built of: activations, convolutions, normalization, losses."""
