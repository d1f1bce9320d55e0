import tensorflow as tf

x = tf.Variable([1.0, 2.0], name="x")
i, a, b = tf.while_loop(lambda i, a, b: i < 3, lambda i, a, b: (i + 1, a * b, b + x), [0, x, x * 2.0])
g = tf.gradients(a, x), tf.gradients([a, b], x), tf.gradients(b, x)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([a, b])); print(sess.run(g))
