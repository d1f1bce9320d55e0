import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2], name="x")
training = tf.placeholder(tf.bool, name="training")
hidden = tf.layers.dense(x, 3, kernel_initializer=tf.constant_initializer([[0.1, 0.2, -0.3], [0.4, 0.3, 0.1]]))
normal = tf.layers.batch_normalization(hidden, training=training, momentum=0.5)
loss = tf.reduce_mean(tf.square(tf.nn.relu(normal) - 1.0))
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
batch = [[1.0, 2.0], [3.0, -4.0], [5.0, 7.0]]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(5):
        sess.run(train, {x: batch, training: True})
    print(np.round(sess.run(loss, {x: batch, training: False}), 3))
    for variable in tf.global_variables():
        print(variable.op.name, np.round(sess.run(variable), 3) + 0.0)
