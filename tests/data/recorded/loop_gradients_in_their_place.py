import tensorflow as tf

w = tf.Variable(0.5, name="w")
power = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * w), [0, 1.0])[1]
rows = tf.while_loop(
    lambda i, a: i < 2,
    lambda i, a: (i + 1, tf.while_loop(lambda j, b: j < 2, lambda j, b: (j + 1, tf.sin(b) * w), [0, a])[1]),
    [0, w],
)
optimizer = tf.train.GradientDescentOptimizer(0.1)
train = optimizer.minimize(power + rows[1], colocate_gradients_with_ops=True)
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    for _ in range(3):
        s.run(train)
        print(s.run(w))
