"""Loops with tapes: kinds of tapes, what they watch, functions of the graph, random numbers."""

LOOPS = """\
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
"""
