import tensorflow as tf

e = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], name="e")
b = tf.Variable(1.0, name="b")
rows = tf.gather(e, [2, 0, 2])
loss = tf.reduce_sum(tf.square(rows)) * b
optimizer = tf.train.GradientDescentOptimizer(0.1)
pairs = optimizer.compute_gradients(loss, gate_gradients=optimizer.GATE_GRAPH)
up = optimizer.apply_gradients([(-g, v) for g, v in pairs])
decay = optimizer.apply_gradients([(g + 0.5 * v, v) for g, v in pairs])
unit = optimizer.apply_gradients([(g / tf.norm(g), v) for g, v in pairs])
clipped = optimizer.apply_gradients([(tf.clip_by_norm(g, 0.5), v) for g, v in pairs])
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    for train in [up, decay, unit, clipped]:
        s.run(train)
        print(s.run(e))
        print(s.run(b))
