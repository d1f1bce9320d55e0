"""Loops of which a part does the same again: below a name, and how many turns at least are run as one."""

LOOPS = """\
## W10: 20
for i in range(40):
    step()

## names that stay: 20
for i in range(40):
    with tf.GradientTape() as tape:
        p = W * X + b
        loss = tf.reduce_mean(tf.square(p - Y))
    gs = tape.gradient(loss, [W, b])
    opt.apply_gradients(zip(gs, [W, b]))
    losses.append(loss.numpy())
    if i % 10 == 0:
        print(i, float(loss), p[0], gs)
print(losses, tape.watched_variables(), loss, gs)

## a rate changed midway: 20
for i in range(60):
    step()
    if i == 35:
        opt.learning_rate = 0.001

## an array changed midway: 20
for i in range(60):
    step()
    if i > 30:
        X[2] += 0.5

## a name changed midway: 15
for i in range(60):
    step()
    if i == 35:
        X = X * 2.
    if i == 45:
        def line(x):
            return W * x

## a name of Python's hidden midway: 15
for i in range(60):
    step()
    if i == 45:
        def zip(a, b):
            return [(a[0], b[0])]

## a list changed midway: 15
both = [W, b]
for i in range(60):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(W * X + b - Y))
    opt.apply_gradients(zip(tape.gradient(loss, both), both))
    if i == 40:
        both.pop()

## an array of another shape: 15
for i in range(60):
    step()
    if i == 35:
        X = X[:3]
        Y = Y[:3]

## a variable assigned beside: 15
for i in range(60):
    step()
    if i % 15 == 3:
        W.assign(1.)
    if i == 40:
        W.assign_add(0.5)

## more of the tape behind: 15
for i in range(60):
    step()
    if i % 9 == 2:
        with tf.GradientTape() as tape:
            l = W * 3.
        print(tape.gradient(l, W))

## a mistake in a late turn: 15
for i in range(60):
    step()
    if i == 50:
        tf.matmul(W, b)

## a name that goes: 15
for i in range(60):
    step()
    if i == 50:
        del X

## leaving early: 15
for i in range(60):
    step()
    if i == 50:
        break
else:
    print('all')
print(i)

## a persistent tape: 15
for i in range(60):
    with tf.GradientTape(persistent=True) as t:
        l = tf.reduce_sum(W * X - Y)
        m = l * l
    a = t.gradient(l, W)
    c = t.gradient(m, W)
    opt.apply_gradients([(c, W)])
print(t.gradient(m, W), a, c)

## a tape in a tape: 15
for i in range(40):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            l = W ** 3 + tf.sin(W)
        d = inner.gradient(l, W)
    h = outer.gradient(d, W)
    opt.apply_gradients([(h, W)])
print(d, h)

## in a function, more than once: 15
def train(n):
    for i in range(n):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(line(X) - Y))
        opt.apply_gradients(zip(tape.gradient(loss, [W, b]), [W, b]))
    return loss
for epoch in range(4):
    print(train(20))

## in a function, from two lines: 15
def train(n):
    for i in range(n):
        step()
        if i % 6 == 0:
            print(i, W, b)
train(30)
train(30)
for k in range(2):
    train(30)

## random numbers: 0
for i in range(40):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(line(X) - Y)) * tf.random.normal([], dtype=tf.float64)
    opt.apply_gradients(zip(tape.gradient(loss, [W, b]), [W, b]))

## while: 15
n = 0
while n < 50:
    step()
    n += 1

## outside of the domain: 5
V = tf.Variable(3., dtype=tf.float64)
for i in range(60):
    with tf.GradientTape() as tape:
        l = V * V
    opt.apply_gradients([(tape.gradient(l, V), V)])
    if i == 30:
        V.assign(-2.)
    with tf.GradientTape() as other:
        q = tf.math.log(V)
    g = other.gradient(q, V)
    print(q, g)

## Adam: 15
opt = tf.optimizers.Adam(0.05)
for i in range(60):
    step()
print(opt.iterations)

## kept: 15
kept = []
for i in range(60):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(line(X) - Y))
    gs = tape.gradient(loss, [W, b])
    opt.apply_gradients(zip(gs, [W, b]))
    if i % 7 == 3:
        kept.append((loss, gs, tape))
print([(l, g, t.watched_variables()) for l, g, t in kept])

## asked twice: 15
for i in range(60):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(line(X) - Y))
    gs = tape.gradient(loss, [W, b])
    opt.apply_gradients(zip(gs, [W, b]))
    if i == 45:
        tape.gradient(loss, W)

## a number that changes: 0
for i in range(60):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(line(X) - Y)) * float(i)
    opt.apply_gradients(zip(tape.gradient(loss, [W, b]), [W, b]))

## a number from outside that changes: 0
s = 1.
for i in range(60):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(line(X) - Y)) * s
    opt.apply_gradients(zip(tape.gradient(loss, [W, b]), [W, b]))
    s = s + 0.5

## too many steps: 15
for i in range(100000):
    step()

## prints inside: 0
for i in range(60):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(line(X) - Y))
        print(loss)
    opt.apply_gradients(zip(tape.gradient(loss, [W, b]), [W, b]))
"""
