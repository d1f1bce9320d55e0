import numpy as np
import torch

# Downhill on x^2 / 2 where each gradient is off by some noise.
noise = np.random.RandomState(0).normal(size=400)
x = torch.tensor(5.0, requires_grad=True)
optimizer = torch.optim.SGD([x], lr=0.5)
schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1.0)

squares = []
for k in range(400):
    e = torch.tensor(noise[k], dtype=torch.float32)
    optimizer.zero_grad()
    loss = x * x / 2 + e * x
    loss.backward()
    optimizer.step()
    schedule.step()
    squares.append(x.item() ** 2)
print("x^2: %.3f after 10 updates, %.5f on average over the last 100" % (squares[9], sum(squares[300:]) / 100))
