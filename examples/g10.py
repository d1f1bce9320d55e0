import tensorflow as tf

# A rule of our own for x - y, judged by a difference quotient.
@tf.RegisterGradient("MySub")
def _sub_grad(op, grad):
    return grad, -grad

graph = tf.Graph()
with graph.as_default():
    x = tf.constant(5.0, name="x")
    y = tf.constant(3.0, name="y")
    with graph.gradient_override_map({"Sub": "MySub"}):
        z = x - y
    dx, dy = tf.gradients(z, [x, y])

    with tf.Session() as sess:
        delta = 0.25
        for name, v, value, rule in [("x", x, 5.0, dx), ("y", y, 3.0, dy)]:
            after, before = sess.run(z, {v: value + delta}), sess.run(z, {v: value - delta})
            print("%s: rule %g, difference %g" % (name, sess.run(rule), (after - before) / (2 * delta)))
