import tensorflow as tf

# The derivative of sin at 3 by automatic differentiation, and how far differences are from it.
def errors(dtype, deltas):
    x = tf.constant(3.0, dtype, name="x")
    y = tf.sin(x)
    slope = tf.gradients(y, x)[0]
    print("%s: the gradient graph says %.7f" % (dtype.name, sess.run(slope)))
    for delta in deltas:
        here, right, left = [sess.run(y, {x: 3.0 + d}) for d in (0, delta, -delta)]
        forward, central = (right - here) / delta, (right - left) / (2 * delta)
        exact = -0.9899924966004454
        print("  delta %.0e  forward %.1e  central %.1e" % (delta, abs(forward - exact), abs(central - exact)))

with tf.Session() as sess:
    errors(tf.float64, [1e-1, 1e-3, 1e-5, 1e-7, 1e-9])
    errors(tf.float32, [1e-1, 1e-3, 1e-4, 1e-5, 1e-7])
