import tensorflow as tf

x = tf.Variable([1.0, 2.0, 3.0], name="x")
w = tf.Variable(2.0, name="w")
y = tf.map_fn(lambda v: v * v * w, x)
slopes = tf.gradients(y, [x, w])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(y))
    print(sess.run(slopes))
