"""Loops with tapes: models of Keras, numbers of other kinds and sizes, and where loops stop."""

LOOPS = """\
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
