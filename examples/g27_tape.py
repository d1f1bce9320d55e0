import tensorflow as tf

# The same two names, with and without the path from a to b.
a = tf.Variable(0.)
with tf.GradientTape(persistent=True) as tape:
    b = 2. * a
    total = a + b
    partial = a + tf.stop_gradient(b)
print(tape.gradient(total, a).numpy())
print(tape.gradient(partial, a).numpy())
