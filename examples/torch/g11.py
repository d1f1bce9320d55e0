import torch

# The residual 5 - 1*2 - 0 = 3 stands in every gradient.
x = torch.tensor(2.0, requires_grad=True)
y = torch.tensor(5.0, requires_grad=True)
w = torch.tensor(1.0, requires_grad=True)
b = torch.tensor(0.0, requires_grad=True)
loss = (y - w * x - b) ** 2
loss.backward()
print("loss", loss.item())
print(f"by w {w.grad.item()}, by b {b.grad.item()}, by y {y.grad.item()}, by x {x.grad.item()}")
