"""Training loops of PyTorch, as programs write them, each below its name."""

LOOPS = """\
## gradients emptied by hand
w = torch.randn(3, 1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
for i in range(N):
    loss = ((X @ w + b - Y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.05 * w.grad
        b -= 0.05 * b.grad
        w.grad.zero_()
        b.grad.zero_()
print(loss.item(), w.tolist(), b.item(), w._version, w.grad)

## gradients set to None by hand
w = torch.randn(3, 1, requires_grad=True)
for i in range(N):
    ((X @ w - Y) ** 2).sum().backward()
    w.data -= 0.01 * w.grad
    w.grad = None
print(w, w.grad)

## a module with Adam
model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
losses = []
for epoch in range(N):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(X), Y)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
    if epoch % 10 == 0:
        print(epoch, loss, loss.grad_fn)
print(losses[-1], optimizer.state_dict()["state"][0]["step"], model[0].weight.grad)

## momentum, and gradients emptied to zeros
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9, nesterov=True)
for epoch in range(N):
    loss = nn.MSELoss()(model(X), Y)
    optimizer.zero_grad(set_to_none=False)
    loss.backward()
    optimizer.step()
print(model.weight, model.bias, optimizer)

## gradients that add up over two passes
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
for epoch in range(N):
    for part in (slice(0, 3), slice(3, 6)):
        (((model(X[part]) - Y[part]) ** 2).mean() / 2).backward()
    optimizer.step()
    optimizer.zero_grad()
print(model.weight)

## gradients that are never emptied
w = torch.ones(3, 1, requires_grad=True)
for i in range(N):
    ((X @ w - Y) ** 2).mean().backward()
    with torch.no_grad():
        w.sub_(0.001 * w.grad)
print(w, w.grad)

## a rate that falls
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=7, gamma=0.5)
for epoch in range(N):
    optimizer.zero_grad()
    loss = ((model(X) - Y) ** 2).mean()
    loss.backward()
    optimizer.step()
    scheduler.step()
print(scheduler.get_last_lr(), loss.item())

## a rate that falls in every turn
model = nn.Linear(3, 1)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.1, weight_decay=0.01)
scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.95)
for epoch in range(N):
    optimizer.zero_grad()
    loss = ((model(X) - Y) ** 2).mean()
    loss.backward()
    optimizer.step()
    scheduler.step()
print(scheduler.get_last_lr(), loss.item(), optimizer.param_groups[0]["lr"])

## a rate that the program sets, and a momentum
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(N):
    optimizer.zero_grad()
    ((model(X) - Y) ** 2).mean().backward()
    optimizer.step()
    if epoch == 15:
        optimizer.param_groups[0]["lr"] = 0.01
    if epoch == 25:
        optimizer.param_groups[0]["momentum"] = 0.01
print(model.weight)

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

## a hook that comes later, and one that goes
w = torch.tensor([1.0, 2.0], requires_grad=True)
seen = []
for i in range(N):
    y = w * w
    if i == 12:
        handle = w.register_hook(lambda g: g * 2)
    if i == 20:
        handle.remove()
    if i % 10 == 0:
        y.register_hook(lambda g: seen.append(g.tolist()))
    y.sum().backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
    w.grad = None
print(w, seen)

## a gradient that is retained
w = torch.tensor([1.0, 2.0], requires_grad=True)
for i in range(N):
    y = w * w
    if i % 6 == 5:
        y.retain_grad()
    y.sum().backward()
    if i % 6 == 5:
        print(i, y.grad)
    with torch.no_grad():
        w -= 0.01 * w.grad
    w.grad = None

## a graph that is gone through twice
w = torch.tensor([1.0, 2.0], requires_grad=True)
for i in range(N):
    loss = (w ** 3).sum()
    loss.backward(retain_graph=True)
    loss.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
    w.grad = None
print(w)
loss.backward()

## gradients by autograd.grad
w = torch.tensor([1.0, 2.0], requires_grad=True)
for i in range(N):
    loss = (w.sin() * w).sum()
    (g,) = torch.autograd.grad(loss, w)
    with torch.no_grad():
        w -= 0.05 * g
print(w, g)

## Newton's method
w = torch.tensor([1.0, 2.0], requires_grad=True)
for i in range(N):
    loss = (w ** 4 / 4 - w).sum()
    (g,) = torch.autograd.grad(loss, w, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), w)
    with torch.no_grad():
        w -= 0.1 * g / h
print(w, g, h)

## a gradient that is part of the loss
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
x = X.clone().requires_grad_()
for i in range(N):
    optimizer.zero_grad()
    y = model(x)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    loss = ((y - Y) ** 2).mean() + (g ** 2).mean()
    loss.backward()
    optimizer.step()
print(loss, x.grad)

## a function of one's own
class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 3
    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * 3 * x ** 2

w = torch.tensor([1.0, 2.0], requires_grad=True)
for i in range(N):
    loss = Cube.apply(w).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
    w.grad = None
print(w)

## weights that are frozen, and freed
model = nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for i in range(N):
    if i == 12:
        model[0].weight.requires_grad_(False)
    if i == 24:
        model[0].weight.requires_grad_(True)
    optimizer.zero_grad()
    loss = ((model(X) - Y) ** 2).mean()
    loss.backward()
    optimizer.step()
print(model[0].weight, model[0].weight.grad)

## clipped gradients
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
for i in range(N):
    optimizer.zero_grad()
    ((model(X) - Y) ** 2).mean().backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 0.3)
    optimizer.step()
print(norm, model.weight)

## gradients that the program changes
w = torch.tensor([1.0, 2.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
for i in range(N):
    optimizer.zero_grad()
    (w ** 2).sum().backward()
    w.grad *= 0.5
    if i % 7 == 3:
        w.grad[0] = 0.25
    optimizer.step()
print(w, w.grad)

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

## an average of the losses, and the last graph
w = torch.tensor([1.0, 2.0], requires_grad=True)
smooth = 0.0
for i in range(N):
    loss = (w ** 2).sum()
    smooth = 0.9 * smooth + 0.1 * loss.detach()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
y = (w * 3).exp().sum()
y.backward()
print(smooth, w.grad, y.grad_fn.next_functions)

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

## L-BFGS
w = torch.tensor([1.0, 2.0], requires_grad=True)
optimizer = torch.optim.LBFGS([w], lr=0.3, max_iter=4)
def closure():
    optimizer.zero_grad()
    loss = ((w - 3) ** 4).sum()
    loss.backward()
    return loss
for i in range(N // 4):
    loss = optimizer.step(closure)
print(w, loss)

## two players
generator, critic = nn.Linear(2, 1), nn.Linear(1, 1)
first = torch.optim.Adam(generator.parameters(), lr=0.02)
second = torch.optim.Adam(critic.parameters(), lr=0.02)
criterion = nn.BCEWithLogitsLoss()
for i in range(N):
    second.zero_grad()
    fake = generator(torch.randn(4, 2))
    real = criterion(critic(torch.randn(4, 1) + 2), torch.ones(4, 1))
    loss_c = real + criterion(critic(fake.detach()), torch.zeros(4, 1))
    loss_c.backward()
    second.step()
    first.zero_grad()
    loss_g = criterion(critic(fake), torch.ones(4, 1))
    loss_g.backward()
    first.step()
print(loss_c, loss_g, generator.weight)

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

## inner loops, and a function of the loss
def train(rate, turns):
    w = torch.tensor([2.0, -1.0], requires_grad=True)
    for i in range(turns):
        loss = (w ** 2).sum() + w.prod()
        loss.backward()
        with torch.no_grad():
            w -= rate * w.grad
            w.grad.zero_()
    return w, loss
for rate in (0.01, 0.1, 0.4):
    w, loss = train(rate, N // 2)
    print(rate, w, loss)

## a mistake in the middle
w = torch.ones(3, 1, requires_grad=True)
for i in range(N):
    x = X if i < N - 5 else X[:, :2]
    loss = ((x @ w - Y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.05 * w.grad
    w.grad = None

## a leaf that is changed where it may not be
w = torch.ones(3, requires_grad=True)
for i in range(N):
    loss = (w ** 2).sum()
    if i == N - 5:
        with torch.no_grad():
            w += 1
    loss.backward()
    with torch.no_grad():
        w -= 0.05 * w.grad
    w.grad = None

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

## the state of an optimizer that is loaded again
w = torch.tensor([1.0, 2.0], requires_grad=True)
optimizer = torch.optim.Adam([w], lr=0.1)
for i in range(N):
    optimizer.zero_grad()
    (w ** 2).sum().backward()
    optimizer.step()
    if i == 14:
        kept = optimizer.state_dict()
        other = torch.optim.Adam([w], lr=0.1)
    if i == 24:
        optimizer.load_state_dict(kept)
    if i == 30:
        other.load_state_dict(optimizer.state_dict())
        optimizer = other
print(w, optimizer.state[w]["step"], optimizer.state[w]["exp_avg"])

## two steps in a turn
w = torch.tensor([1.0, 2.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1, momentum=0.5)
for i in range(N):
    optimizer.zero_grad()
    (w ** 2).sum().backward()
    optimizer.step()
    if i % 13 != 12:
        optimizer.step()
print(w)

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

## gradients that are set by hand
w = torch.tensor([1.0, 2.0], requires_grad=True)
for i in range(N):
    if i % 10 == 9:
        w.grad = torch.tensor([1.0, 1.0])
    (w ** 3).sum().backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
    if i % 10 != 8:
        w.grad = None
print(w, w.grad)

## a pass from several numbers
w = torch.ones(3, requires_grad=True)
for i in range(N):
    y = w * torch.tensor([1.0, 2.0, 3.0])
    y.backward(torch.tensor([1.0, 0.5, i / 10]))
    with torch.no_grad():
        w -= 0.05 * w.grad
    w.grad = None
print(w)
"""
BEGIN = """\
import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
N = 40
X = torch.tensor(
    [[0.5, -1.0, 2.0], [1.5, 0.3, -0.7], [-0.2, 0.8, 0.1], [2.0, 1.0, 0.0], [0.0, -2.0, 1.0], [1.0, 1.0, 1.0]]
)
Y = X @ torch.tensor([[1.0], [-2.0], [0.5]]) + 0.1
"""
