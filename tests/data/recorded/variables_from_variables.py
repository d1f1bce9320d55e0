import tensorflow as tf

first = tf.Variable(tf.random_normal([3], seed=1), name="first")
same = tf.Variable(first.initialized_value(), name="same")
double = tf.Variable(first * 2.0, name="double")
with tf.variable_scope("net"):
    sums = tf.get_variable("sums", initializer=tf.reduce_sum(first * first + first))
last = tf.Variable(tf.stack([first[0], 1.0]), name="last")
started = [tf.is_variable_initialized(variable) for variable in (first, same)]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    a, b, c, d, e = sess.run([first, same, double, sums, last])
    print((a == b).all(), (c == 2 * a).all(), abs(d - sum(a * a + a)) < 1e-5, e[0] == a[0])
with tf.Session() as sess:
    sess.run(same.initializer)
    print(sess.run(started))
