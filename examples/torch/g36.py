import torch
from torch import nn

# A network of twenty layers, and one loss behind it.
features = torch.tensor([[0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1]])
targets = torch.tensor([[1.0], [0.0]])

class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(4, 4) for _ in range(20))
        self.output = nn.Linear(4, 1, bias=False)
        for layer in self.layers:
            nn.init.eye_(layer.weight)
            nn.init.zeros_(layer.bias)
        nn.init.ones_(self.output.weight)

    def forward(self, h):
        for layer in self.layers:
            h = torch.relu(layer(h))
        return torch.sigmoid(self.output(h))

model = Deep()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for step in range(2):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(features), targets)
    loss.backward()
    optimizer.step()
    print("step %d: loss %.4f" % (step, loss.item()))
