import tensorflow as tf

x = tf.Variable(0.7, name="x")
def body(i, s):
    return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: s * x, lambda: tf.sin(s))
_, y = tf.while_loop(lambda i, s: i < 4, body, [tf.constant(0), x])
g = tf.gradients(y, x)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(['%.4f' % value for value in sess.run([y] + g)])
