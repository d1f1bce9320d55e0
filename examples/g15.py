import tensorflow as tf

# The tape differentiates the path that was taken: so many turns, this branch.
def f(a):
    b = a * 2
    while tf.norm(b) < 1000:
        b = b * 2
    return b if tf.reduce_sum(b) > 0 else 100 * b

a = tf.Variable([[0.5]])
with tf.GradientTape() as tape:
    c = f(a)
slope = tape.gradient(c, a)
print(c.numpy(), slope.numpy(), slope == c / a)
