import tensorflow as tf

# Which of four does the tape watch by itself? None is not 0.
x0 = tf.Variable(3.)
x1 = tf.Variable(3., trainable=False)
x2 = tf.Variable(2.) + 1.
x3 = tf.constant(3.)
with tf.GradientTape() as tape:
    y = x0 * x0 + x1 * x1 + x2 * x2 + x3 * x3
print([None if g is None else g.numpy() for g in tape.gradient(y, [x0, x1, x2, x3])])
