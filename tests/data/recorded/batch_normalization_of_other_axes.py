import tensorflow as tf

x = tf.Variable([[[1.0, 2.0], [3.0, 5.0]], [[0.5, 1.5], [4.0, 2.0]]], name="x")
penalty = tf.contrib.layers.l2_regularizer(0.1)
rows = tf.layers.batch_normalization(x, axis=1, training=True, gamma_regularizer=penalty)
both = tf.layers.batch_normalization(x, axis=[1, 2], training=True, trainable=False)
half = tf.layers.batch_normalization(tf.cast(x, tf.float16), training=True)
double = tf.layers.batch_normalization(tf.cast(x, tf.float64), training=tf.constant(False))
gradients = tf.gradients([rows, both, half, double], x)
print([update.name for update in tf.get_collection(tf.GraphKeys.UPDATE_OPS)])
print([variable.name for variable in tf.trainable_variables()])
print(tf.losses.get_regularization_losses())
