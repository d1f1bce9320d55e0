import torch

# Fit a line through (0, 1), (1, 3), (2, 5), (3, 7).
x = torch.tensor([0.0, 1.0, 2.0, 3.0])
t = torch.tensor([1.0, 3.0, 5.0, 7.0])
w = torch.tensor(0.0, requires_grad=True)
b = torch.tensor(0.0, requires_grad=True)
optimizer = torch.optim.SGD([w, b], lr=0.1)

for step in range(200):
    optimizer.zero_grad()
    loss = ((w * x + b - t) ** 2).mean()
    if step == 0:
        print("start", loss.item())
    loss.backward()
    optimizer.step()
print("w %.4f, b %.4f" % (w.item(), b.item()))
