"""What the kernel takes from a worker: network, files, other processes."""
