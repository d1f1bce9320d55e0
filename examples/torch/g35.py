import torch
from torch import nn

# Exclusive or: a hidden layer of four units learns what a single straight line cannot.
inputs = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
targets = torch.tensor([[0.0], [1.0], [1.0], [0.0]])

model = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1), nn.Sigmoid())
with torch.no_grad():
    model[0].weight.copy_(torch.tensor([[1.0, -1.0, 0.5, 0.3], [-1.0, 1.0, 0.4, 0.6]]).T)
    model[2].weight.copy_(torch.tensor([[1.0, 0.5, -0.5, 0.25]]))
    model[0].bias.zero_()
    model[2].bias.zero_()

optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
loss_of = nn.MSELoss()
for step in range(40):
    optimizer.zero_grad()
    loss = loss_of(model(inputs), targets)
    loss.backward()
    optimizer.step()

with torch.no_grad():
    output = model(inputs)
    print("loss %.4f" % loss_of(output, targets).item())
    print(output.round().tolist())
