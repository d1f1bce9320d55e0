"""`torch.optim`: optimizers over parameter groups, and schedules of their learning rates."""
