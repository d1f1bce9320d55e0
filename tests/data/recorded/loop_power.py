import tensorflow as tf

x = tf.Variable(1.5, name="x")
_, y = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * x), [tf.constant(0), tf.constant(1.0)])
(slope,) = tf.gradients(y, x)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([y, slope]))
