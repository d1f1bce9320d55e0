import torch

# The gradient has the shape of what it is taken by: a column in, a column out.
x = torch.arange(4.0).reshape(4, 1).requires_grad_()
y = 2 * x.T @ x
y.backward()
print(x.grad.tolist())
