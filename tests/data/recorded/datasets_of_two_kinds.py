import numpy as np
import tensorflow as tf

rng = np.random.RandomState(1)
xs = rng.randn(40, 2).astype(np.float32)
ys = (xs[:, 0] + xs[:, 1] > 0).astype(np.int32)
train = tf.data.Dataset.from_tensor_slices((xs[:30], ys[:30])).batch(10)
test = tf.data.Dataset.from_tensor_slices((xs[30:], ys[30:])).batch(5)
it = tf.data.Iterator.from_structure(train.output_types, train.output_shapes)
x, y = it.get_next()
ti, vi = it.make_initializer(train), it.make_initializer(test)
h = tf.layers.dense(x, 4, activation=tf.nn.tanh, kernel_initializer=tf.constant_initializer(0.3), name="h")
logits = tf.layers.Dense(2, kernel_initializer=tf.constant_initializer([[0.1, -0.1]] * 4))(h)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
acc = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1, output_type=tf.int32), y), tf.float32))
train_op = tf.train.AdamOptimizer(0.05).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(5):
        sess.run(ti)
        total, n = 0.0, 0
        try:
            while True:
                _, l = sess.run([train_op, loss])
                total += l
                n += 1
        except tf.errors.OutOfRangeError:
            pass
        sess.run(vi)
        accs = []
        while True:
            try:
                accs.append(sess.run(acc))
            except tf.errors.OutOfRangeError:
                break
        print("epoch %d loss %.4f acc %.3f" % (epoch, total / n, np.mean(accs)))
