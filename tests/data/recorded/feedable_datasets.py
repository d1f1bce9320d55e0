import tensorflow as tf

handle = tf.placeholder(tf.string, shape=[])
a = tf.data.Dataset.range(3)
b = tf.data.Dataset.range(10, 12)
it = tf.data.Iterator.from_string_handle(handle, a.output_types, a.output_shapes)
n = it.get_next()
ia, ib = a.make_one_shot_iterator(), b.make_initializable_iterator()
with tf.Session() as s:
    ha, hb = s.run(ia.string_handle()), s.run(ib.string_handle())
    s.run(ib.initializer)
    print(s.run(n, {handle: ha}), s.run(n, {handle: hb}), s.run(n, {handle: ha}), s.run(n, {handle: hb}))
    try:
        s.run(n, {handle: hb})
    except tf.errors.OutOfRangeError:
        print("end")
    print(s.run(n, feed_dict={handle: ha}))
c = tf.data.Dataset.range(100).map(lambda v: v + 1).make_one_shot_iterator()
m = tf.reduce_sum(n * 2)
with tf.Session() as s:
    hc = s.run(c.string_handle())
    print([s.run(m, {handle: hc}) for _ in range(40)])
