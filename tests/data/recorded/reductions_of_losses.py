import numpy as np
import tensorflow as tf

R = tf.losses.Reduction
t = tf.constant([[1.0, 0.0], [0.0, 1.0]])
x = tf.Variable([[3.0, 0.5], [0.25, 2.0]], name="x")
w = tf.constant([[1.0], [0.0]])
made = [
    tf.losses.mean_squared_error(t, x, reduction=R.NONE),
    tf.losses.absolute_difference(t, x, weights=w, reduction=R.SUM),
    tf.losses.huber_loss(t, x, weights=w, reduction=R.MEAN),
    tf.losses.sigmoid_cross_entropy(t, x, weights=2.0, reduction=R.SUM_OVER_BATCH_SIZE),
    tf.losses.softmax_cross_entropy(t, x, weights=[1.0, 0.0], reduction=R.SUM_OVER_NONZERO_WEIGHTS),
    tf.losses.sparse_softmax_cross_entropy([0, 1], x, reduction=R.SUM_BY_NONZERO_WEIGHTS, loss_collection=None),
    tf.losses.log_loss(t, tf.sigmoid(x), weights=w, loss_collection="mine", reduction=R.SUM_OVER_BATCH_SIZE),
    tf.losses.hinge_loss(t, x, reduction=R.NONE, scope="hinge"),
    tf.losses.compute_weighted_loss(losses=x, weights=w, reduction=R.MEAN),
]
print(len(tf.losses.get_losses()), [v.name for v in tf.get_collection("mine")])
slopes = [tf.gradients(loss, x)[0] for loss in made]
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    for value in made + slopes:
        print(np.round(s.run(value), 4))
