import tensorflow as tf

x = tf.Variable(3.0)
p = x > 1.0
r = tf.cond(p, lambda: tf.no_op(), lambda: tf.no_op())
a = tf.Assert(p, ["too small:", x])
with tf.control_dependencies([a]):
    y = x * 2.0
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(y))
