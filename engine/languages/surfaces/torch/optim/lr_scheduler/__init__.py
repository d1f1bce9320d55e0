"""`torch.optim.lr_scheduler`: schedules that set the learning rates of an optimizer's groups."""
