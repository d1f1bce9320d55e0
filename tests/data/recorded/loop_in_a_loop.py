import tensorflow as tf

x = tf.Variable(0.5, name="x")
def outer(i, s):
    _, t = tf.while_loop(lambda j, t: j < i, lambda j, t: (j + 1, t * tf.sin(x)), [tf.constant(0), s])
    return i + 1, t + x
_, y = tf.while_loop(lambda i, s: i < 3, outer, [tf.constant(0), x])
g = tf.gradients(y, x)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(['%.4f' % value for value in sess.run([y] + g)])
