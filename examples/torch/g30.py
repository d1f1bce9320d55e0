import torch

# Two inputs, one sweep back.
x1 = torch.tensor(2.0, requires_grad=True)
x2 = torch.tensor(5.0, requires_grad=True)
f = torch.log(x1) + x1 * x2 - torch.sin(x2)
f.backward()
print(f"f {f.item():.3f}, df/dx1 {x1.grad.item():.3f}, df/dx2 {x2.grad.item():.3f}")
