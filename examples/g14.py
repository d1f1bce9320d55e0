import tensorflow as tf

# One record, two questions: a persistent tape may be asked again.
x = tf.Variable([0., 1., 2., 3.])
with tf.GradientTape(persistent=True) as tape:
    y = x * x
    z = y * y
print(tape.gradient(z, x).numpy())
print(tape.gradient(y, x).numpy())
