import numpy as np
import tensorflow as tf

rows = np.arange(10, dtype=np.float32).reshape(5, 2)
fed = tf.placeholder(tf.float32, [None, 2])
plain = tf.data.Dataset.from_tensor_slices((rows, np.arange(5))).map(lambda x, n: (x * 2.0, n + 1))
print(plain)
batches = plain.batch(2).repeat(2).skip(1).take(3).prefetch(1)
x, n = batches.make_one_shot_iterator().get_next()
print(x, n, batches.output_types, batches.output_shapes)
again = tf.data.Dataset.from_tensor_slices({"row": fed}).shuffle(4, seed=3).batch(2, drop_remainder=True)
on_feeds = again.make_initializable_iterator()
shuffled = on_feeds.get_next()["row"]
print(shuffled, on_feeds.initializer.name)
counted = tf.data.Dataset.zip((tf.data.Dataset.range(3), tf.data.Dataset.from_tensors([1.0, 2.0]).repeat()))
even = counted.filter(lambda number, pair: tf.equal(number % 2, 0))
either = tf.data.Iterator.from_structure(counted.output_types, counted.output_shapes)
to_all, to_even = either.make_initializer(counted), either.make_initializer(even, name="to_even")
number, pair = either.get_next()
w = tf.Variable([[1.0], [-1.0]], name="w")
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - tf.cast(n, tf.float32)))
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    steps = 0
    while True:
        try:
            print(session.run([loss, n, train]))
            steps += 1
        except tf.errors.OutOfRangeError:
            print("the end after", steps)
            break
    print(session.run(w))
    try:
        session.run(shuffled)
    except tf.errors.FailedPreconditionError:
        print("not begun")
    session.run(on_feeds.initializer, {fed: rows[:4]})
    first, second = session.run(shuffled), session.run(shuffled)
    print(sorted(np.concatenate([first, second]).ravel().tolist()))
    for begin in (to_all, to_even):
        session.run(begin)
        try:
            while True:
                print(session.run([number, pair]))
        except tf.errors.OutOfRangeError as error:
            print(type(error).__name__, error.message.split("\n")[0])
