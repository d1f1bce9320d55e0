import tensorflow as tf

x = tf.Variable(3.0)
c = tf.constant(2.0)
p = x > 1.0
with tf.control_dependencies([c]):
    r = tf.cond(p, lambda: x * 2.0, lambda: c)
    s = tf.cond(p, lambda: c, lambda: tf.cond(c > 1.0, lambda: c, lambda: x + 1.0))
g = tf.gradients(r + s, [x, c])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([r, s, g]))
