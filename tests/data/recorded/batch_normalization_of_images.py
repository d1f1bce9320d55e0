import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2, 3, 2], name="x")
training = tf.placeholder_with_default(True, [], name="training")
scaled = x * tf.Variable([1.0, 2.0], name="w")
first = tf.layers.batch_normalization(scaled, training=training, name="first", fused=True)
second = tf.layers.batch_normalization(tf.nn.relu(first), training=True, scale=False, name="second")
third = tf.layers.batch_normalization(second, training=False, center=False, name="third")
loss = tf.reduce_mean(tf.sigmoid(third))
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
batch = np.cos(np.arange(24.0) * 1.3).reshape(2, 2, 3, 2)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        sess.run(train, {x: batch})
    print(np.round(sess.run(loss, {x: batch, training: False}), 3))
    for variable in tf.global_variables():
        print(variable.op.name, np.round(sess.run(variable), 3) + 0.0)
