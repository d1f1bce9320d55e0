import tensorflow as tf

x = tf.Variable(2.0, name="x")
turns = tf.Variable(0, name="turns")
table = tf.Variable([1.0, 2.0], name="table")


def add_read(i):
    with tf.control_dependencies([x.assign_add(1.0), turns.assign_add(1)]):
        return i + x.read_value()


def spread(i, total):
    with tf.control_dependencies([tf.scatter_add(table, [0], [1.0]), tf.assert_less(i, 9)]):
        return i + 1, total + tf.reduce_sum(table.read_value())


def choose(i):
    moved = tf.cond(i > 1.0, lambda: turns.assign(0), lambda: turns.assign_sub(1))
    with tf.control_dependencies([moved]):
        return i + 1.0


far = tf.while_loop(lambda i: i < 20.0, add_read, [0.0], parallel_iterations=1)
near = tf.while_loop(lambda i: i < x.read_value(), lambda i: i + 2.0, [0.0])
counted, total = tf.while_loop(lambda i, total: i < 3, spread, [0, 0.0], parallel_iterations=1)
chosen = tf.while_loop(lambda i: i < 2.0, choose, [0.0], parallel_iterations=1)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(far), sess.run([x, turns]))
    print(sess.run(near))
    print(sess.run([counted, total]), sess.run(table))
    print(sess.run(chosen), sess.run(turns))
