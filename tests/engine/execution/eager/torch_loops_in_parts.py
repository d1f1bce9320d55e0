"""More training loops of PyTorch: what parts of a turn that run as one function have to leave as it was."""

LOOPS = """\
## a module of one's own, and a look every now and then
torch.manual_seed(1)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 8)
        self.b = nn.Linear(8, 1)
        self.scale = 1.0
    def forward(self, x):
        h = torch.relu(self.a(x))
        return self.b(h) * self.scale
X = torch.randn(12, 3)
Y = X.sum(1, keepdim=True)
model = Net()
opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
losses = []
for epoch in range(80):
    model.train()
    pred = model(X)
    loss = nn.functional.mse_loss(pred, Y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())
    if epoch == 50:
        model.scale = 0.5
    if epoch == 60:
        print(loss, pred.grad_fn, loss.grad_fn.next_functions)
    if epoch % 20 == 0:
        with torch.no_grad():
            print(epoch, (model(X) - Y).abs().max().item(), model.a.weight.grad.sum().item(), loss.grad_fn)
print(sum(losses), model.a.weight._version, opt.state_dict()["state"][0]["momentum_buffer"][0])

## a second use of the graph in some turns
w = torch.tensor([1.0, 2.0], requires_grad=True)
for i in range(60):
    y = (w * w).sum()
    z = torch.exp(-y)
    if i in (30, 45):
        g, = torch.autograd.grad(z, w, retain_graph=True)
        print(i, g)
        w.data[0] += 0.125
    if i == 50:
        z.retain_grad()
    if i == 52:
        z.add_(1.0)
    z.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
    if i in (50, 51):
        print(z.grad, z.is_leaf, z.requires_grad, y.grad_fn)
    w.grad = None
print(w, z, y._version)

## two models with an optimizer each
torch.manual_seed(0)
a, b = nn.Linear(2, 2), nn.Linear(2, 1)
oa = torch.optim.Adam(a.parameters(), lr=0.01)
ob = torch.optim.RMSprop(b.parameters(), lr=0.01)
X = torch.tensor([[1.0, 2.0], [0.5, -1.0], [-1.0, 0.25]])
Y = torch.tensor([[1.0], [0.0], [2.0]])
for i in range(70):
    oa.zero_grad(); ob.zero_grad()
    h = torch.tanh(a(X))
    out = b(h)
    loss = ((out - Y) ** 2).mean()
    loss.backward()
    oa.step()
    ob.step()
    print(i, loss.item(), h.mean().item())
print(oa.state_dict(), ob.state_dict()["state"][0]["step"])

## batches of a loader
from torch.utils.data import TensorDataset, DataLoader
torch.manual_seed(0)
X = torch.randn(16, 2)
Y = (X[:, :1] > 0).float()
loader = DataLoader(TensorDataset(X, Y), batch_size=4, shuffle=True)
model = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 1))
opt = torch.optim.Adam(model.parameters(), lr=0.01)
crit = nn.BCEWithLogitsLoss()
for epoch in range(15):
    total = 0.0
    for xb, yb in loader:
        opt.zero_grad()
        out = model(xb)
        loss = crit(out, yb)
        loss.backward()
        opt.step()
        total += loss.item() * len(xb)
    print(epoch, total / 16)

## a loop that breaks off
x = torch.tensor([2.0, -3.0], requires_grad=True)
opt = torch.optim.SGD([x], lr=0.02)
n = 0
best = None
while True:
    opt.zero_grad()
    loss = (x ** 2).sum() + 1.0 / (x ** 2 + 1.0).prod()
    loss.backward()
    opt.step()
    n += 1
    if best is None or loss.item() < best - 1e-4:
        best = loss.item()
    else:
        break
    if n > 150: break
try:
    loss.backward()
except RuntimeError as e:
    print(str(e)[:60])
print(n, best, x, x.grad, loss, loss.grad_fn.next_functions[0][0], loss._version)

## a function that reads what changes
w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
c = torch.tensor([0.5, 0.25, 0.125])
lam = 0.1
opt = torch.optim.Adagrad([w], lr=0.1)
def penalty(v):
    return lam * v.abs().sum()
hist = []
for i in range(90):
    if i == 40:
        lam = 0.2
    if i == 60:
        c = torch.tensor([1.0, 1.0, 1.0])
    if i == 70:
        c[1] = 5.0
    loss = ((w - c) ** 2).sum() + penalty(w)
    opt.zero_grad()
    loss.backward()
    opt.step()
    hist.append(loss)
print([h.item() for h in hist[::9]], hist[3].grad_fn)
print(hist[80].grad_fn.name(), hist[80].grad_fn.next_functions)
print(w, w.grad)

## a hook of a layer, and layers that are frozen later
torch.manual_seed(3)
m = nn.Sequential(nn.Linear(2, 3), nn.Sigmoid(), nn.Linear(3, 1))
opt = torch.optim.SGD(m.parameters(), lr=0.1)
X = torch.randn(5, 2)
Y = torch.randn(5, 1)
seen = []
for i in range(80):
    if i == 30:
        h = m[1].register_forward_hook(lambda mod, a, o: seen.append(o.sum().item()))
    if i == 35:
        h.remove()
    if i == 50:
        for p in m[0].parameters():
            p.requires_grad_(False)
    if i == 60:
        opt.param_groups[0]["lr"] = 0.01
    opt.zero_grad()
    loss = (m(X) - Y).pow(2).mean()
    loss.backward()
    opt.step()
print(len(seen), loss, [p.grad is None for p in m.parameters()], [p._version for p in m.parameters()])
print([p.detach().sum().item() for p in m.parameters()])

## a logarithm that comes near the end of its domain
x = torch.tensor(0.5, requires_grad=True)
opt = torch.optim.SGD([x], lr=0.05)
for i in range(60):
    opt.zero_grad()
    y = torch.log(x) * x
    (y + 0.9 * x).backward()
    opt.step()
    print(i, x.item(), y.item())

## a function that trains
torch.manual_seed(0)
def train(model, opt, X, Y, n):
    for i in range(n):
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(X), Y)
        loss.backward()
        opt.step()
    return loss
X = torch.linspace(-1, 1, 20).unsqueeze(1)
Y = X ** 3
for lr in (0.1, 0.01):
    model = nn.Sequential(nn.Linear(1, 5), nn.Tanh(), nn.Linear(5, 1))
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    print(lr, train(model, opt, X, Y, 60), train(model, opt, X, Y, 40).item())

## noise of each turn
torch.manual_seed(0)
x = torch.tensor([1.0, -1.0], requires_grad=True)
opt = torch.optim.SGD([x], lr=0.1)
for i in range(70):
    e = torch.randn(2)
    opt.zero_grad()
    loss = ((x + e) ** 2).sum()
    loss.backward()
    opt.step()
    u = torch.rand(1)
print(x, loss, e, u)

## memory that two tensors share, and a copy of numbers
w = torch.tensor([1.0, 2.0], requires_grad=True)
seen = w.detach()
optimizer = torch.optim.SGD([w], lr=0.05)
for i in range(N):
    optimizer.zero_grad()
    loss = (w * w).sum() + w[0] * 2.0
    loss.backward()
    optimizer.step()
    if i % 10 == 5:
        print(i, seen, seen._version, w._version, loss._version, w.grad_fn, loss.requires_grad)
print(seen, w.grad, loss.grad_fn.next_functions)

## arrays that take some time
x = torch.linspace(-2, 2, 40).unsqueeze(1)
model = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for i in range(N):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), torch.sin(x))
    loss.backward()
    optimizer.step()
print(loss, model(x)[0])

## tensors of each turn that are kept
kept, graphs = [], []
w = torch.tensor([0.5, -1.0, 2.0], requires_grad=True)
optimizer = torch.optim.Adam([w], lr=0.1)
for i in range(N):
    e = torch.tensor([float(i), 1.0, 0.5])
    optimizer.zero_grad()
    out = torch.tanh(w * e)
    loss = out.pow(2).mean()
    loss.backward()
    optimizer.step()
    kept.append(loss.detach())
    graphs.append(out)
print([one.item() for one in kept[::7]], graphs[5].grad_fn, graphs[35].grad_fn.next_functions[0][0])
print(torch.stack(kept).sum(), w, optimizer.state_dict()["state"][0]["step"], e)
try:
    graphs[35].sum().backward()
except RuntimeError as error:
    print(str(error)[:40])

## numbers that numpy changes between the forward side and the pass
w = torch.tensor([1.0, 2.0], requires_grad=True)
x = torch.tensor([0.5, 0.25])
optimizer = torch.optim.SGD([w], lr=0.1)
for i in range(N):
    optimizer.zero_grad()
    loss = (w * x).sum() ** 2
    if i == 30:
        x.numpy()[0] = 4.0
    loss.backward()
    optimizer.step()
    if i > 28:
        print(i, w.grad, x)

## a mistake after the forward side
w = torch.tensor([1.0, 2.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
for i in range(N):
    optimizer.zero_grad()
    loss = (w * w).sum()
    if i == 30:
        loss = loss * torch.ones(3)
    loss.backward()
    optimizer.step()

## turns in a row, and a look every now and then
w = torch.tensor([1.0, -2.0], requires_grad=True)
b = torch.zeros(1, requires_grad=True)
opt = torch.optim.SGD([w, b], lr=0.05, momentum=0.9)
verbose, every = True, 10
for epoch in range(70):
    opt.zero_grad()
    loss = ((w * 2 + b - 1) ** 2).sum()
    if verbose and epoch % every == 3:
        print("before", epoch, loss, loss.grad_fn, w.grad, w._version)
    loss.backward()
    opt.step()
    if (epoch + 1) % 20 == 0:
        print(epoch, loss.item(), w.grad, w._version, loss.grad_fn.next_functions)
        every = 7
print(epoch, loss, loss.grad_fn, w, w.grad, w._version, opt.state_dict())
(loss * 2).detach().add_(1)
try:
    loss.backward()
except RuntimeError as error:
    print(error)

## a second turn that is like no other
x = torch.tensor([3.0, -1.0], requires_grad=True)
scale = torch.tensor([1.0, 0.5])
before = torch.zeros(2)
opt = torch.optim.Adam([x], lr=0.1)
for step in range(60):
    opt.zero_grad()
    y = (scale * x ** 2).sum()
    if step == 1:
        y = y + (x * 0.5).sum()
    y.backward()
    opt.step()
print(x, y, x.grad)
for step in range(40):
    opt.zero_grad()
    now = torch.tensor([0.1 * step, 1.0])
    y = ((x - before) ** 2 + now * x).sum()
    y.backward()
    opt.step()
    before = now
print(x, y, before)

## turns in a row that are left
x = torch.tensor(3.0, requires_grad=True)
opt = torch.optim.Adam([x], lr=0.1)
for step in range(1000):
    opt.zero_grad()
    y = x ** 2 + 1
    y.backward()
    opt.step()
    if step == 45:
        break
print(step, x, y, x.grad, opt.state[x])
for step in range(60):
    if step == 30:
        continue
    opt.zero_grad()
    y = x ** 2 + 1
    y.backward(retain_graph=step == 59)
    opt.step()
y.backward()
print(step, x, x.grad, y.grad_fn.next_functions, x._version)
def trained(steps):
    for step in range(steps):
        opt.zero_grad()
        y = (x - 1) ** 2
        y.backward()
        opt.step()
        if 1 / (60 - step) > 0.1:
            return step, y.item()
print(trained(100), x)
try:
    for step in range(100):
        opt.zero_grad()
        y = (x - 2) ** 2
        y.backward()
        opt.step()
        if 1 % (50 - step) == 5:
            print("never")
except ZeroDivisionError as error:
    print(step, error, y, x, x.grad)

## turns in a row in which a number leaves its domain
x = torch.tensor(2.0, requires_grad=True, dtype=torch.float64)
for step in range(60):
    y = torch.sqrt(x) * x
    z = torch.log(x)
    if x is None:
        print("never")
    (y + z).backward()
    with torch.no_grad():
        x -= 0.05 * x.grad
    x.grad = None
print(step, x, y, z, y.grad_fn)
x = torch.tensor(2.0, requires_grad=True, dtype=torch.float64)
opt = torch.optim.SGD([x], lr=0.05)
for step in range(60):
    opt.zero_grad()
    y = torch.sqrt(x) * x
    if step == 100:
        print("never")
    z = y + torch.log(x)
    z.backward()
    opt.step()
print(step, x, y, z, y.grad_fn, x._version)
x = torch.tensor(8.0, requires_grad=True, dtype=torch.float64)
opt = torch.optim.SGD([x], lr=0.5)
for step in range(60):
    opt.zero_grad()
    y = x / 2
    if step == 100:
        print("never")
    q = 1 / (x * 1)
    y.backward()
    opt.step()
print(step, x, y, q)
for step in range(60):
    opt.zero_grad()
    y = x / 2
    if step == 100:
        print("never")
    q = 1 / (x + 17)
    y.backward()
    opt.step()
    if step == 40:
        print(q, y, x, x._version)
print(step, x, y, q)

## turns in a row whose conditions change something
x = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.SGD([x], lr=0.05)
for step in range(60):
    loss = (x ** 2).sum()
    loss.backward()
    if step % 2 == 1:
        opt.step()
        opt.zero_grad()
print(x, x.grad, x._version, loss)
scale = 1.0
for step in range(60):
    opt.zero_grad()
    loss = (x ** 2 * scale).sum()
    loss.backward()
    opt.step()
    if step == 20:
        scale = 0.5
    if step == 40:
        opt.param_groups[0]["lr"] = 0.01
    if step > 50:
        x.data += 0.25
print(x, x.grad, x._version, loss)
for step in range(50):
    opt.zero_grad()
    loss = (x ** 2).sum() * step
    loss.backward()
    opt.step()
print(x, x.grad, loss)
for step in range(50):
    opt.zero_grad()
    loss = (x ** 2).sum()
    loss.backward()
    opt.step()
    step = 0
print(step, x)

## turns in a row inside of another loop, and of a function
torch.manual_seed(0)
X = torch.randn(10, 2)
Y = X @ torch.tensor([[1.0], [2.0]])
def fit(rate, steps=40):
    model = nn.Linear(2, 1)
    opt = torch.optim.SGD(model.parameters(), lr=rate)
    loss_fn = nn.MSELoss()
    for epoch in range(steps):
        opt.zero_grad()
        loss = loss_fn(model(X), Y)
        loss.backward()
        opt.step()
    return loss.item(), model.weight.grad
for rate in (0.01, 0.1, 0.5):
    print(rate, fit(rate))
hidden = torch.zeros(2, requires_grad=True)
for outer in range(3):
    for inner in range(30):
        hidden.grad = None
        loss = ((hidden - outer) ** 2).sum()
        loss.backward()
        hidden.data = hidden.data - 0.1 * hidden.grad
    print(outer, inner, hidden, hidden.grad, loss)
"""
