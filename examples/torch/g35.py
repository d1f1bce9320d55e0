import torch
from torch import nn

# Exclusive or: a hidden layer of four units learns what a single straight line cannot.
inputs = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
targets = torch.tensor([[0.0], [1.0], [1.0], [0.0]])

model = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1), nn.Sigmoid())
model.load_state_dict({
    "0.weight": torch.tensor([[1.0, -1.0], [-1.0, 1.0], [0.5, 0.4], [0.3, 0.6]]),
    "0.bias": torch.zeros(4),
    "2.weight": torch.tensor([[1.0, 0.5, -0.5, 0.25]]),
    "2.bias": torch.zeros(1),
})

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
