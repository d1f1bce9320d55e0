import tensorflow as tf

AM = tf.AggregationMethod
w = tf.Variable([1.0, 2.0], name="w")
r = tf.identity(w, name="r")
y = tf.reduce_sum(r * r + tf.sin(r))
slopes = [tf.gradients(y, w, aggregation_method=m)[0] for m in [AM.EXPERIMENTAL_TREE, AM.EXPERIMENTAL_ACCUMULATE_N]]
slopes += tf.gradients(tf.reduce_sum(w * w), w, aggregation_method=AM.EXPERIMENTAL_ACCUMULATE_N)
p = tf.placeholder(tf.float32, [None])
slopes += tf.gradients(p * p + tf.sin(p), p, aggregation_method=AM.EXPERIMENTAL_ACCUMULATE_N)
optimizer = tf.train.GradientDescentOptimizer(0.5)
train = optimizer.minimize(y, aggregation_method=AM.EXPERIMENTAL_TREE, gate_gradients=optimizer.GATE_NONE)
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    for slope in slopes:
        print(s.run(slope, {p: [1.0, 2.0]}))
    s.run(train)
    print(s.run(w))
