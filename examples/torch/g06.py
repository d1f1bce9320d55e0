import torch

# PyTorch computes at once: a gradient is a number, and with create_graph=True a node, too.
x = torch.tensor(3.0, requires_grad=True)
w = torch.tensor(4.0, requires_grad=True)
y = w * x
print(y.grad_fn.name())
(plain,) = torch.autograd.grad(y, w, retain_graph=True)
print(plain)
(handle,) = torch.autograd.grad(y, w, create_graph=True)
print(handle)
