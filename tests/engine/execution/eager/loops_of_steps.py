"""Loops with tapes: rates, what is printed, data, branches, mistakes, and updates by hand."""

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
"""
