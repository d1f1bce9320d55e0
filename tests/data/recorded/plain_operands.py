import numpy as np
import tensorflow as tf

w = tf.Variable([1.0, -2.0])
n = tf.size(w)
units = [tf.nn.relu, tf.nn.relu6, tf.nn.elu, tf.nn.selu, tf.nn.softplus, tf.nn.softsign, tf.nn.crelu]
made = [unit([0.5, -1.0]) for unit in units]
made += [tf.transpose([[1.0, 2.0]]), tf.transpose(3.0), tf.reduce_logsumexp([1.0, 2.0])]
made += [tf.math.reduce_std([1.0, 3.0]), tf.math.reduce_variance([[1.0], [3.0]])]
made += [tf.nn.batch_normalization(w, 0.5, 2.0, None, None, 1e-3)]
made += [tf.one_hot([0, 2], depth=3, on_value=2.0, off_value=-1.0), tf.eye(n), tf.eye(n, 3), tf.eye(2, 3)]
made += [tf.eye(2, batch_shape=[n]), tf.global_norm([w, [3.0]])]
clipped, norm = tf.clip_by_global_norm([[3.0], w], 1.5)
wide = tf.constant([[0.5, -1.0]], dtype=tf.float64)
made += [clipped[0], norm, tf.losses.sigmoid_cross_entropy([[0.0, 1.0]], wide)]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for value in sess.run(made):
        print(value.shape, value.dtype, np.round(np.sum(value), 3))
