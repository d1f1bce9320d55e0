"""`torchvision`: data sets that stand in for the real ones, transforms, and a few tools."""
