import tensorflow as tf

# The gradient has the shape of what it is taken by: a column in, a column out.
x = tf.reshape(tf.range(4, dtype=tf.float32), (4, 1))
with tf.GradientTape() as tape:
    tape.watch(x)
    y = 2 * tf.matmul(tf.transpose(x), x)
dy_dx = tape.gradient(y, x)
print(dy_dx.numpy().tolist())
