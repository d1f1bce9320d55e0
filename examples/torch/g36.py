import torch
from torch import nn

# A network of twenty layers, and one loss behind it.
features = torch.tensor([[0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1]])
targets = torch.tensor([[1.0], [0.0]])

class Dense(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.eye(4))
        self.b = nn.Parameter(torch.zeros(4))

    def forward(self, h):
        return torch.relu(h @ self.w + self.b)

class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(*[Dense() for _ in range(20)])
        self.w = nn.Parameter(torch.ones(4, 1))

    def forward(self, h):
        return torch.sigmoid(self.layers(h) @ self.w)

model = Deep()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for step in range(2):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(features), targets)
    loss.backward()
    optimizer.step()
    print("step %d: loss %.4f" % (step, loss.item()))
