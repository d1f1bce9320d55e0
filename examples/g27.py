import tensorflow as tf

# The same two names, with and without the path from a to b.
a = tf.Variable(0., name="a")
b = 2. * a
y = a + b
total = tf.gradients(y, [a, b])
partial = tf.gradients(y, [a, b], stop_gradients=[a, b])

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(total))
    print(sess.run(partial))
