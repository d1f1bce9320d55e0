import torch

# The same two names, with and without the path from a to b.
a = torch.tensor(0.0, requires_grad=True)
b = 2.0 * a
y = a + b
total = torch.autograd.grad(y, [a, b])
print([grad.item() for grad in total])

b = b.detach().requires_grad_()
y = a + b
partial = torch.autograd.grad(y, [a, b])
print([grad.item() for grad in partial])
