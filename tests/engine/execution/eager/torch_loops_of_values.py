"""Loops of PyTorch: layers, and values whose choices, shapes or memory change."""

LOOPS = """\
## batches that are shuffled, with labels
from torch.utils.data import DataLoader, TensorDataset
loader = DataLoader(TensorDataset(X, torch.tensor([0, 1, 1, 0, 1, 0])), batch_size=2, shuffle=True)
model = nn.Linear(3, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(N // 3):
    total = 0.0
    for x, labels in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), labels)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(x)
    print(epoch, total / 6)

## dropout and noise
model = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Dropout(0.5), nn.Linear(8, 1))
optimizer = torch.optim.RMSprop(model.parameters(), lr=0.01)
for epoch in range(N):
    optimizer.zero_grad()
    noise = torch.randn(6, 3) * 0.1
    loss = ((model(X + noise) - Y) ** 2).mean()
    loss.backward()
    optimizer.step()
print(loss.item(), torch.rand(2))

## batch normalisation
model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(N):
    model.train()
    optimizer.zero_grad()
    loss = ((model(X) - Y) ** 2).mean()
    loss.backward()
    optimizer.step()
    if epoch % 9 == 8:
        model.eval()
        with torch.no_grad():
            print(epoch, ((model(X) - Y) ** 2).mean().item())
print(model[1].running_mean, model[1].num_batches_tracked)

## embeddings
table = nn.Embedding(5, 2)
out = nn.Linear(2, 1)
optimizer = torch.optim.Adagrad([*table.parameters(), *out.parameters()], lr=0.1)
for epoch in range(N):
    optimizer.zero_grad()
    loss = ((out(table(torch.tensor([0, 1, 4, 4, 2, 0]))) - Y) ** 2).mean()
    loss.backward()
    optimizer.step()
print(table.weight, loss)

## a maximum whose place moves
w = torch.tensor([1.0, 0.9, -2.0], requires_grad=True)
for i in range(N):
    loss = w.max() ** 2 + (w.abs().min() - 0.5) ** 2
    loss.backward()
    with torch.no_grad():
        w -= 0.05 * w.grad
    w.grad = None
    print(i, w.argmax().item(), loss.item())

## sorted, and the largest two
w = torch.tensor([1.0, 0.9, -2.0, 0.95], requires_grad=True)
for i in range(N):
    values, places = torch.sort(w)
    top = torch.topk(w, 2).values
    loss = (values * torch.arange(4.0)).sum() + (top ** 2).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.05 * w.grad
        w.grad.zero_()
print(w, places)

## a kink that is passed
w = torch.tensor([1.0, -0.5, 0.02], requires_grad=True)
for i in range(N):
    loss = (w.relu() + w.clamp(-0.3, 0.3) + torch.where(w > 0.5, w * 2, w)).sum() + w.prod()
    loss.backward()
    with torch.no_grad():
        w -= 0.03 * w.grad
    w.grad = None
print(w)

## branches on what is computed
w = torch.tensor(3.0, requires_grad=True)
for i in range(N):
    y = w ** 2
    if y.item() > 4:
        loss = y * 1.5
    elif i % 5 == 0:
        loss = y.exp()
    else:
        loss = (w - 1) ** 4
    loss.backward()
    with torch.no_grad():
        w -= 0.02 * w.grad
    w.grad = None
    if loss.item() < 0.001:
        print("enough", i)
        break
print(w)

## a power that changes
w = torch.tensor(1.5, requires_grad=True)
for i in range(N):
    loss = w ** (i % 4) + w * (0.1 * i) + (w - 0.5 ** i).abs()
    loss.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
    w.grad = None
print(w)

## written into in place
w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
for i in range(N):
    y = w * 2
    y[1] = w[0] * w[2]
    y += 1
    z = y.view(3, 1)
    z.mul_(0.5)
    loss = (y ** 2).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
        w.grad.zero_()
print(w, y)

## views and slices
w = torch.randn(4, 3, requires_grad=True)
for i in range(N):
    first, rest = w[0], w[1:]
    loss = (first @ rest.T).sum() ** 2 + rest.reshape(-1)[::2].sum()
    loss = loss + w.t().mean() + torch.cat([first, rest[0]]).std()
    loss.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
    w.grad = None
print(w)

## values that are kept
w = torch.tensor([1.0, 2.0], requires_grad=True)
losses, points = [], []
for i in range(N):
    loss = (w ** 2).sum()
    losses.append(loss)
    points.append(w.detach().clone())
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
print(losses[3], losses[-1].grad_fn, torch.stack(points[:4]), sum(losses[-2:]))

## other shapes
w = torch.ones(3, 1, requires_grad=True)
for i in range(N):
    rows = 6 if i < N // 2 else 3 + i % 2
    loss = ((X[:rows] @ w - Y[:rows]) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.05 * w.grad
    w.grad = None
print(w)

## another element type in the middle
w = torch.ones(3, 1, requires_grad=True)
for i in range(N):
    if i == N // 2:
        torch.set_default_dtype(torch.float64)
    scale = torch.tensor(0.5)
    loss = ((X @ w - Y) ** 2).mean() * scale + torch.zeros(2).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.05 * w.grad
    w.grad = None
print(w, loss)

## memory that numpy shares
a = np.array([1.0, 2.0], dtype=np.float32)
x = torch.from_numpy(a)
w = torch.ones(2, requires_grad=True)
for i in range(N):
    loss = ((w * x - 3) ** 2).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.02 * w.grad
    w.grad = None
    a[0] = 1.0 + 0.01 * i
print(w, loss)

## a recurrent network
cell = nn.RNN(1, 3, batch_first=True)
head = nn.Linear(3, 1)
optimizer = torch.optim.Adam([*cell.parameters(), *head.parameters()], lr=0.02)
series = torch.sin(torch.arange(8.0) / 2).reshape(1, 8, 1)
for i in range(N):
    optimizer.zero_grad()
    out, hidden = cell(series)
    loss = ((head(out[:, :-1]) - series[:, 1:]) ** 2).mean()
    loss.backward()
    optimizer.step()
print(loss, hidden)

## a convolution
model = nn.Sequential(nn.Conv2d(1, 2, 2), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(2, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
images = torch.randn(3, 1, 3, 3)
for i in range(N):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(images), torch.tensor([0, 1, 1]))
    loss.backward()
    optimizer.step()
print(loss, model[0].bias)

## sampled choices
policy = nn.Linear(3, 2)
optimizer = torch.optim.Adam(policy.parameters(), lr=0.05)
for i in range(N):
    chance = torch.distributions.Categorical(logits=policy(X[i % 6]))
    action = chance.sample()
    reward = 1.0 if action.item() == i % 2 else -1.0
    loss = -chance.log_prob(action) * reward
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(policy.weight)

## a factor that is zero in one turn
w = torch.tensor([1.0, 2.0], requires_grad=True)
for i in range(N):
    y = torch.relu(w * 1.5 - torch.tensor([0.5, 1.0]))
    loss = y.prod() + (w * w).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.04 * w.grad
    w.grad = None
    print(i, y, loss)

## the largest of what is computed
w = torch.tensor([1.0, 0.9, -2.0], requires_grad=True)
for i in range(N):
    y = w * torch.tensor([1.0, 1.2, -0.3])
    value, place = y.max(0)
    rest = y[y > 0.2]
    loss = value ** 2 + rest.sum() + torch.sort(y).values[0] + y.median()
    loss.backward()
    with torch.no_grad():
        w -= 0.02 * w.grad
    w.grad = None
    print(i, place, rest.shape, loss.item())

## other memory in a parameter
w = torch.tensor([1.0, 2.0], requires_grad=True)
for i in range(N):
    loss = (w ** 3).sum()
    loss.backward()
    w.data = w.data - 0.01 * w.grad
    if i == 20:
        w.data = torch.tensor([0.5, 0.25])
    w.grad.data.zero_()
print(w, w.grad)
"""
