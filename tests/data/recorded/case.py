import tensorflow as tf

x = tf.constant(2.0)
a = tf.case([(x < 1.0, lambda: x * 2.0), (x < 3.0, lambda: tf.sin(x))], default=lambda: tf.constant(0.0))
b = tf.case([(x < 1.0, lambda: x * 2.0), (x < 3.0, lambda: tf.sin(x))], default=lambda: tf.constant(0.0), exclusive=True)
c = tf.case([(x < 1.0, lambda: x * 2.0), (x > 1.0, lambda: tf.sin(x))])
with tf.Session() as sess:
    print(sess.run([a, c]))
