import tensorflow as tf

x = tf.Variable(2.0, name="x")
y = tf.placeholder(tf.float32, [], name="y")
with tf.control_dependencies([tf.no_op(), x.assign_add(1.0)]):
    n, power = tf.while_loop(lambda i, a: i < 3.0, lambda i, a: [i + y, a * x], [0.0, y], maximum_iterations=5)
    seen = tf.identity(power)
    branch = tf.cond(y > 9.0, lambda: y * 2.0, lambda: tf.while_loop(lambda i: i < 5.0, lambda i: i + x, [y]))
    rows = tf.map_fn(lambda row: row * y, tf.constant([1.0, 2.0]))
    sums = tf.scan(lambda total, row: total + row, tf.constant([1.0, 2.0]))
gradients = tf.gradients([power, branch, rows, sums], [x, y])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([n, rows, sums], {y: 1.0}), sess.run(x))
