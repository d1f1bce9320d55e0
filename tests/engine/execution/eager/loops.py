"""Loops with tapes, as programs write them, each below its name. DTYPE and NP are an element type."""

LOOPS = """\
## a rate that falls
opt = tf.optimizers.SGD(tf.keras.optimizers.schedules.ExponentialDecay(0.1, 5, 0.9))
for i in range(40):
    step(x, y)

## a rate that the program sets
for i in range(40):
    step(x, y)
    if i == 20:
        opt.learning_rate = 0.01

## each turn printed
for i in range(40):
    print(i, step(x, y), w.numpy().tolist(), float(b))

## a list of losses
losses = []
for i in range(40):
    losses.append(step(x, y))
print(tf.reduce_mean(losses), losses[3], losses[-1])
z = losses[5] * 2 + losses[30]
print(z)

## shown now and then
for i in range(40):
    step(x, y)
    if i % 10 == 0:
        print(i, loss_of(x, y).numpy())

## other shapes for a while
for i in range(60):
    n = 6 if i < 25 or i > 40 else 4
    step(x[:n], y[:n])

## batches of an array
for i in range(40):
    k = r.randint(0, 6, 2)
    step(X[k], Y[k])

## an array that changes in place
A = X.copy()
for i in range(40):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.matmul(A, w) - Y) ** 2) / (i + 1.)
    A += 0.01
    g = tape.gradient(loss, w)
    w.assign_sub(0.01 * g)
    Y[0] = i
    print(loss)

## a data set in batches
data = tf.data.Dataset.from_tensor_slices((X.astype(NP), Y.astype(NP))).batch(2)
for epoch in range(20):
    for p, q in data:
        l = step(p, q)
    print(epoch, l)

## a data set with a short batch
data = tf.data.Dataset.from_tensor_slices((X.astype(NP), Y.astype(NP))).batch(4)
for epoch in range(20):
    for p, q in data:
        l = step(p, q)

## made ahead of the tape
for i in range(40):
    k = tf.constant(r.randn(6, 3).astype(NP))
    q = k * 2.
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.matmul(q, w))
    w.assign_add(tape.gradient(loss, w) * 0.01)

## a branch on a value
for i in range(50):
    l = step(x, y)
    if l < 0.5:
        b.assign_add(0.01)
    elif i % 7 == 3:
        b.assign(0.)

## a branch inside of the tape
for i in range(50):
    with tf.GradientTape() as tape:
        l = loss_of(x, y)
        if i % 5 == 2:
            l = l * 2. + tf.reduce_sum(w)
    opt.apply_gradients(zip(tape.gradient(l, [w, b]), [w, b]))

## a mistake that comes late
for i in range(40):
    l = step(x, y)
    if i == 30:
        tf.matmul(x, y)

## a mistake inside of the tape
for i in range(40):
    with tf.GradientTape() as tape:
        l = loss_of(x, y)
        q = l / (1. if i < 30 else 'no')
    opt.apply_gradients(zip(tape.gradient(l, [w, b]), [w, b]))

## a mistake that a program catches
for i in range(40):
    try:
        with tf.GradientTape() as tape:
            l = loss_of(x, y)
            if i in (15, 16, 33):
                raise ValueError('x')
        opt.apply_gradients(zip(tape.gradient(l, [w, b]), [w, b]))
    except ValueError as e:
        print(i, e)

## an index out of range
t = tf.Variable(tf.range(4, dtype=DTYPE))
for i in range(40):
    with tf.GradientTape() as tape:
        l = tf.gather(t, i // 8) ** 2
    t.assign_sub(0.1 * tf.convert_to_tensor(tape.gradient(l, t)))

## updates by hand
for i in range(40):
    with tf.GradientTape() as tape:
        l = loss_of(x, y)
    gw, gb = tape.gradient(l, [w, b])
    w.assign_sub(0.1 * gw)
    b.assign(b - 0.1 * gb)

## a persistent tape
for i in range(40):
    with tf.GradientTape(persistent=True) as tape:
        l = loss_of(x, y)
        m = l * l
    gw = tape.gradient(l, w)
    gb = tape.gradient(m, b)
    del tape
    opt.apply_gradients([(gw, w), (gb, b)])

## persistent tapes that are kept
tapes = []
for i in range(30):
    with tf.GradientTape(persistent=True) as tape:
        l = loss_of(x, y)
    tapes.append((tape, l))
    w.assign_sub(0.1 * tape.gradient(l, w))
for tape, l in tapes[3::5]:
    print(tape.gradient(l, [w, b]))
print([v.name for v in tapes[20][0].watched_variables()])

## a tape in a tape
v = tf.Variable(1.3, dtype=DTYPE)
for i in range(40):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            l = v ** 3 + tf.sin(v)
        d = inner.gradient(l, v)
    h = outer.gradient(d, v)
    v.assign_sub(0.1 * d / (tf.abs(h) + 1.))
print(d, h)

## two tapes
v = tf.Variable(1.3, dtype=DTYPE)
for i in range(40):
    with tf.GradientTape() as one, tf.GradientTape() as two:
        l = loss_of(x, y) * v
        m = v * v + b
    gw = one.gradient(l, [w, b])
    gv = two.gradient(m, [v])
    opt.apply_gradients(zip(gw, [w, b]))
    opt.apply_gradients(zip(gv, [v]))

## two tapes one after the other
v = tf.Variable(1.3, dtype=DTYPE)
other = tf.optimizers.Adam(0.1)
for i in range(40):
    step(x, y)
    with tf.GradientTape() as two:
        m = (v - b) ** 2
    other.apply_gradients(zip(two.gradient(m, [v]), [v]))

## asked inside of its block
for i in range(40):
    with tf.GradientTape() as tape:
        l = loss_of(x, y)
        g = tape.gradient(l, [w, b])
        extra = l + 1.
    opt.apply_gradients(zip(g, [w, b]))

## a constant that is watched
c = tf.constant(2., DTYPE)
for i in range(40):
    with tf.GradientTape() as tape:
        tape.watch(c)
        l = c ** 3 * b
    g = tape.gradient(l, [c, b])
    b.assign_sub(0.01 * g[1])
print(g)

## only what is watched
for i in range(40):
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(w)
        l = loss_of(x, y)
    g = tape.gradient(l, [w, b])
    w.assign_sub(0.1 * g[0])
print(g)

## a pause
for i in range(40):
    with tf.GradientTape() as tape:
        l = loss_of(x, y)
        with tape.stop_recording():
            m = l * 2.
        l = l + m
    g = tape.gradient(l, [w, b])
    opt.apply_gradients(zip(g, [w, b]))

## not connected
u = tf.Variable(1., dtype=DTYPE)
n = tf.Variable(3., dtype=DTYPE, trainable=False)
for i in range(40):
    with tf.GradientTape() as tape:
        l = loss_of(x, y) * n
    g = tape.gradient(l, [w, u, n], unconnected_gradients='zero')
    k = [w, u]
    opt.apply_gradients(zip(g[:2], k))
print(g)

## without a gradient
u = tf.Variable(1., dtype=DTYPE)
for i in range(40):
    with tf.GradientTape() as tape:
        l = loss_of(x, y)
    g = tape.gradient(l, [w, u])
    w.assign_sub(g[0] * 0.1)
print(g)

## read in the block
for i in range(40):
    with tf.GradientTape() as tape:
        l = loss_of(x, y)
        s = float(l) + b.numpy()
    g = tape.gradient(l, [w, b])
    opt.apply_gradients(zip(g, [w, b]))
print(s)

## a loss by the one before
last = 0.
for i in range(40):
    l = step(x, y)
    print(l - last)
    last = l

## a sum over the turns
total = 0.
for i in range(40):
    total += step(x, y)
print(total)

## a function of the graph
fast = tf.function(step)
for i in range(40):
    fast(x, y)
print(loss_of(x, y))

## a function of the graph beside
@tf.function
def f(a):
    return tf.reduce_sum(a * a) if tf.reduce_sum(a) > 0. else tf.reduce_sum(a)
for i in range(40):
    with tf.GradientTape() as tape:
        l = loss_of(x, y) + f(w)
    opt.apply_gradients(zip(tape.gradient(l, [w, b]), [w, b]))

## functions of other variables
u = tf.Variable(tf.ones([3, 1], DTYPE))
for i in range(40):
    step(x, y)
    step(x, y, [w])
    step(x, y, [b, w])

## names
for i in range(40):
    with tf.GradientTape() as tape:
        with tf.name_scope('part'):
            l = tf.reduce_sum(tf.square(model(x) - y), name='total')
    opt.apply_gradients(zip(tape.gradient(l, [w, b]), [w, b]))
    if i == 25:
        q = tf.exp(l, name='late') * 2.
        r2 = l * 2. - q
        print(r2)

## random numbers
tf.random.set_seed(1)
for i in range(40):
    with tf.GradientTape() as tape:
        l = loss_of(x + tf.random.normal([6, 3], dtype=DTYPE), y)
    opt.apply_gradients(zip(tape.gradient(l, [w, b]), [w, b]))
    print(tf.random.uniform([]))

## random numbers with a seed
for i in range(40):
    with tf.GradientTape() as tape:
        l = loss_of(tf.nn.dropout(x, 0.3, seed=3), y)
    opt.apply_gradients(zip(tape.gradient(l, [w, b]), [w, b]))

## a network of Keras
m = tf.keras.Sequential([tf.keras.layers.Dense(4, activation='relu'), tf.keras.layers.Dense(1)])
mse = tf.keras.losses.MeanSquaredError()
adam = tf.keras.optimizers.Adam(0.01)
for i in range(40):
    with tf.GradientTape() as tape:
        l = mse(Y.astype('float32'), m(X.astype('float32'), training=True))
    adam.apply_gradients(zip(tape.gradient(l, m.trainable_variables), m.trainable_variables))
    print(l.numpy())

## a network that drops and normalizes
L = tf.keras.layers
m = tf.keras.Sequential([L.Dense(4), L.BatchNormalization(), L.Dropout(0.2), L.Dense(1)])
for i in range(30):
    with tf.GradientTape() as tape:
        l = tf.reduce_mean((m(X.astype('float32'), training=True) - Y.astype('float32')) ** 2)
    opt.apply_gradients(zip(tape.gradient(l, m.trainable_variables), m.trainable_variables))
print(l)

## a model that is fitted
m = tf.keras.Sequential([tf.keras.layers.Dense(1)])
m.compile(optimizer='adam', loss='mse', metrics=['mae'])
h = m.fit(X, Y, epochs=12, batch_size=2, verbose=0)
print(h.history['loss'][-1])

## a class for the model
class Line(tf.Module):
    def __init__(self):
        self.k = tf.Variable(0.5, dtype=DTYPE)
    def __call__(self, x):
        return self.k * x
line = Line()
for i in range(40):
    with tf.GradientTape() as t:
        l = tf.reduce_mean(tf.abs(line(X[:, 0]) - Y[:, 0]))
    line.k.assign_sub(0.1 * t.gradient(l, line.k))

## minimize
for i in range(40):
    opt.minimize(lambda: loss_of(x, y), [w, b])

## a pair of turns
for i in range(60):
    if i % 2:
        step(x, y)
    else:
        with tf.GradientTape() as tape:
            l = tf.reduce_sum(w ** 2)
        w.assign_sub(0.01 * tape.gradient(l, w))

## embeddings
e = tf.Variable(tf.ones([5, 2], DTYPE))
for i in range(30):
    with tf.GradientTape() as tape:
        l = tf.reduce_sum(tf.nn.embedding_lookup(e, [1, 3, 1]) ** 2)
    opt.apply_gradients([(tape.gradient(l, e), e)])

## a jacobian
for i in range(20):
    with tf.GradientTape() as tape:
        p = tf.reshape(model(x), [6])[:2]
    j = tape.jacobian(p, w)
    w.assign_sub(0.01 * j[0])

## zeros and infinities
v = tf.Variable(2., dtype=DTYPE)
for i in range(40):
    with tf.GradientTape() as tape:
        l = v ** 4
    g = tape.gradient(l, v)
    v.assign_sub(0.5 * g)
    print(l, g)

## a new variable late
for i in range(40):
    step(x, y)
    if i == 20:
        extra = tf.Variable(1., dtype=DTYPE)
    if i > 20:
        extra.assign_add(1.)

## integers
for i in range(40):
    with tf.GradientTape() as tape:
        l = tf.reduce_sum(tf.one_hot(tf.argmax(x, 1), 3, dtype=DTYPE) * x) * b
        n = tf.cast(tf.shape(x)[0], DTYPE)
        l = l / n
    b.assign_sub(0.1 * tape.gradient(l, b))
print(n)

## a number that counts
for i in range(40):
    with tf.GradientTape() as tape:
        l = loss_of(x, y) * float(i) + i
    opt.apply_gradients(zip(tape.gradient(l, [w, b]), [w, b]))

## a loop that leaves early
for i in range(40):
    with tf.GradientTape() as tape:
        l = loss_of(x, y)
    if i % 6 == 4:
        continue
    g = tape.gradient(l, [w, b])
    if i == 37:
        break
    opt.apply_gradients(zip(g, [w, b]))

## gradients that are changed
for i in range(40):
    with tf.GradientTape() as tape:
        l = loss_of(x, y)
    g = tape.gradient(l, [w, b])
    g = [tf.clip_by_norm(one, 0.1) for one in g]
    opt.apply_gradients(zip(g, [w, b]))

## gradients that are kept
saved = None
for i in range(40):
    with tf.GradientTape() as tape:
        l = loss_of(x, y)
    g = tape.gradient(l, [w, b])
    opt.apply_gradients(zip(g, [w, b]))
    if i in (1, 5, 17):
        saved = g
    if i in (20, 33, 34):
        opt.apply_gradients(zip(saved, [w, b]))
    if i == 36:
        w.assign_sub(saved[0])

## a tape that is kept
for i in range(40):
    with tf.GradientTape() as tape:
        l = loss_of(x, y)
    if i in (2, 12):
        other, k = tape, l
    elif i in (5, 15):
        opt.minimize(k, [w, b], tape=other)
    else:
        opt.apply_gradients(zip(tape.gradient(l, [w, b]), [w, b]))

## large arrays
v = tf.Variable(tf.ones([90, 60], DTYPE))
z = tf.constant(np.linspace(0., 1., 90 * 50).reshape([50, 90]), DTYPE)
kept = []
for i in range(40):
    with tf.GradientTape(persistent=True) as tape:
        p = tf.nn.relu(tf.matmul(z, v)) * 0.1
        l = tf.reduce_mean(p ** 2)
    v.assign_sub(tape.gradient(l, v))
    if i % 9 == 5:
        kept.append((tape, l, p))
for tape, l, p in kept:
    print(tf.reduce_sum(tape.gradient(l, v)), tf.reduce_sum(p))

## arrays that are large, and an optimizer
v = tf.Variable(tf.ones([90, 60], DTYPE))
z = tf.constant(np.linspace(0., 1., 90 * 50).reshape([50, 90]), DTYPE)
opt = tf.optimizers.Adam(0.01)
for i in range(40):
    with tf.GradientTape() as tape:
        l = tf.reduce_mean(tf.matmul(z, v) ** 2)
    if i % 7 != 3:
        opt.apply_gradients([(tape.gradient(l, v), v)])

## a tape of an earlier turn of large arrays
v = tf.Variable(tf.ones([90, 60], DTYPE))
before = None
for i in range(30):
    with tf.GradientTape() as tape:
        l = tf.reduce_mean(v ** 2)
    v.assign_sub(tape.gradient(l, v))
    if i > 20:
        print([one.name for one in before.watched_variables()])
    before = tape

## a class with a metric
metric = tf.keras.metrics.Mean()
for i in range(40):
    metric.update_state(step(x, y))
    if i % 10 == 9:
        print(metric.result().numpy())
        metric.reset_state()

## what the interpreter stops
def down(n):
    return step(x, y) if n == 0 else down(n - 1)
for i in range(40):
    down(i % 3)
    while i > 35:
        step(x, y)
        i -= 1
print(undefined)

## too much work
v = tf.Variable(tf.ones([300, 200], DTYPE))
for i in range(1000):
    step(x, y)
    with tf.GradientTape() as tape:
        l = tf.reduce_mean(v ** 2)
    v.assign_sub(tape.gradient(l, v))
"""
