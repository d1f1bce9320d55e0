import tensorflow as tf

count = tf.Variable(2.0, name="count")
best = tf.Variable(100.0, name="best")
loss = tf.placeholder(tf.float32, name="loss")


def improve():
    with tf.control_dependencies([best.assign(loss)]):
        return tf.identity(best)


changed = tf.cond(loss < 60.0, lambda: tf.assign(count, 5.0), lambda: tf.assign_add(count, 1.0))
lowest = tf.cond(loss < best, improve, lambda: tf.identity(best))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for number in [50.0, 70.0, 20.0]:
        print(sess.run(lowest, {loss: number}), sess.run(changed, {loss: number}), sess.run([best, count]))
