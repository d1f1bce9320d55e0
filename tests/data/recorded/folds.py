import tensorflow as tf

x = tf.Variable([1.0, 2.0, 3.0, 4.0], name="x")
product = tf.foldl(lambda a, v: a * v, x)
from_right = tf.foldr(lambda a, v: a - v, x, initializer=tf.constant(0.0))
sums = tf.scan(lambda a, v: a + v, x)
backwards = tf.scan(lambda a, v: a * v, x, reverse=True)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([product, from_right, sums, backwards]))
    print(sess.run(tf.gradients(product, x) + tf.gradients(sums[2], x) + tf.gradients(backwards[0], x)))
