import tensorflow as tf

x = tf.placeholder(tf.float32, [4, 3])
with tf.variable_scope("a", regularizer=tf.contrib.layers.l2_regularizer(0.1), initializer=tf.ones_initializer()):
    w = tf.get_variable("w", [3, 2])
    with tf.variable_scope("b"):
        v = tf.get_variable("v", [3, 2])
    with tf.variable_scope("c", regularizer=lambda t: tf.reduce_sum(tf.abs(t))):
        u = tf.get_variable("u", [2], regularizer=tf.contrib.layers.l2_regularizer(0.5))
        t = tf.get_variable("t", [2])
    h = tf.layers.dense(x, 2, name="d")
    cell = tf.nn.rnn_cell.BasicRNNCell(2)
    o, s = cell(x, tf.zeros([4, 2]))
with tf.variable_scope("a", reuse=True):
    again = tf.get_variable("w", [3, 2])
print([p.name for p in tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)])
loss = tf.losses.get_regularization_loss()
grads = tf.gradients(loss, [w, u, t])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print("%.4f" % sess.run(loss))
    for g in sess.run(grads):
        print(g)
