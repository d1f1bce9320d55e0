"""Callbacks of `fit`: called at the beginning and end of epochs and batches; some of them watch a figure."""
