import torch

# Exclusive or: a hidden layer of four units learns what a single straight line cannot.
inputs = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
targets = torch.tensor([[0.0], [1.0], [1.0], [0.0]])

w1 = torch.tensor([[1.0, -1.0, 0.5, 0.3], [-1.0, 1.0, 0.4, 0.6]], requires_grad=True)
b1 = torch.zeros(4, requires_grad=True)
w2 = torch.tensor([[1.0], [0.5], [-0.5], [0.25]], requires_grad=True)
b2 = torch.zeros(1, requires_grad=True)

def network(x):
    hidden = torch.tanh(x @ w1 + b1)
    return torch.sigmoid(hidden @ w2 + b2)

optimizer = torch.optim.Adam([w1, b1, w2, b2], lr=0.1)
for step in range(40):
    optimizer.zero_grad()
    loss = ((network(inputs) - targets) ** 2).mean()
    loss.backward()
    optimizer.step()

with torch.no_grad():
    output = network(inputs)
    print("loss %.4f" % ((output - targets) ** 2).mean().item())
    print(output.round().tolist())
