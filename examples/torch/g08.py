import torch

# One gradient, (6, 8), clipped in three ways.
v = torch.tensor([3.0, 4.0], requires_grad=True)
loss = (v ** 2).sum()
loss.backward()
gradient = v.grad.clone()
print("gradient", gradient.numpy())

# clip_grad_norm_ divides by the norm + 1e-6, so that a norm of 0 does no harm.
by_norm = gradient * torch.clamp(5 / gradient.norm(), max=1)
print("by norm", by_norm.numpy())
torch.nn.utils.clip_grad_value_([v], 5)
print("by value", v.grad.numpy())
v.grad = gradient.clone()
norm = torch.nn.utils.clip_grad_norm_([v], 5)
print("by global norm", v.grad.numpy(), "of norm", norm.item())
