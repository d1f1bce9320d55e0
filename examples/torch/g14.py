import torch

# One record, two questions: with retain_graph=True it may be asked again.
x = torch.tensor([0.0, 1.0, 2.0, 3.0], requires_grad=True)
y = x * x
z = y * y
(dz_dx,) = torch.autograd.grad(z.sum(), x, retain_graph=True)
print(dz_dx.numpy())
(dy_dx,) = torch.autograd.grad(y.sum(), x)
print(dy_dx.numpy())
