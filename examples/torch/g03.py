import torch

# y = x^2, one hundred steps downhill from x = 3
x = torch.tensor(3.0, requires_grad=True)
optimizer = torch.optim.SGD([x], lr=0.01)

for step in range(100):
    optimizer.zero_grad()
    y = x ** 2
    y.backward()
    optimizer.step()
    print("step %d: x %f, y %f" % (step, x.item(), y.item()))
