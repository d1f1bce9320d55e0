import torch

# Which of four does backward() write a gradient to? None is not 0.
x0 = torch.tensor(3.0, requires_grad=True)
x1 = torch.tensor(3.0)
x2 = torch.tensor(2.0, requires_grad=True).add(1.0).detach()
x3 = torch.tensor(3.0)
y = x0 * x0 + x1 * x1 + x2 * x2 + x3 * x3
y.backward()
print([None if x.grad is None else x.grad.item() for x in (x0, x1, x2, x3)])
