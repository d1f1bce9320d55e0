"""A program that builds a model of BERT's size with its gradients and Adam: `PROGRAM`, some 10,000 nodes.

Its words are 7,500 instead of 30,522, so that the file with their vectors in it has 27 MB.
Source: Devlin et al., BERT (2018), sections 3 and A.2: 12 layers, 768 wide, 12 heads, 3,072 inside.
"""

from __future__ import annotations

from engine.execution.budget import PROFILES
from engine.programs import ProgramRequest
from engine.programs.answers.graph_files import download_graph


def graph_def() -> bytes:
    """The GraphDef of the model, as TensorFlow would write it."""
    return download_graph(ProgramRequest(source=PROGRAM), "tensorflow", "pb", PROFILES["own"])


PROGRAM = """\
import numpy as np
import tensorflow as tf

LAYERS, HEADS, WIDTH, INNER, TOKENS, LENGTH, BATCH = 12, 12, 768, 3072, 7500, 512, 8


def dense(x, width, name, activation=None):
    start = tf.truncated_normal_initializer(stddev=0.02)
    return tf.layers.dense(x, width, activation=activation, name=name, kernel_initializer=start)


def gelu(x):
    return x * (0.5 * (1.0 + tf.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * tf.pow(x, 3)))))


def layer_norm(x, name="LayerNorm"):
    with tf.variable_scope(name):
        beta = tf.get_variable("beta", [WIDTH], initializer=tf.zeros_initializer())
        gamma = tf.get_variable("gamma", [WIDTH], initializer=tf.ones_initializer())
        mean, variance = tf.nn.moments(x, [-1], keep_dims=True)
        return tf.nn.batch_normalization(x, mean, variance, beta, gamma, 1e-12)


def attention(x, mask):
    size = WIDTH // HEADS
    with tf.variable_scope("self"):
        query, key, value = (
            tf.transpose(tf.reshape(dense(x, WIDTH, name), [BATCH, LENGTH, HEADS, size]), [0, 2, 1, 3])
            for name in ("query", "key", "value")
        )
        scores = tf.multiply(tf.matmul(query, key, transpose_b=True), 1.0 / np.sqrt(size))
        scores += (1.0 - tf.expand_dims(tf.cast(mask, tf.float32), 1)) * -10000.0
        shares = tf.nn.dropout(tf.nn.softmax(scores), 0.9)
        context = tf.transpose(tf.matmul(shares, value), [0, 2, 1, 3])
        return tf.reshape(context, [BATCH * LENGTH, WIDTH])


ids = tf.placeholder(tf.int32, [BATCH, LENGTH], name="input_ids")
mask = tf.placeholder(tf.int32, [BATCH, 1, LENGTH], name="input_mask")
kinds = tf.placeholder(tf.int32, [BATCH, LENGTH], name="segment_ids")
labels = tf.placeholder(tf.int32, [BATCH], name="label_ids")
random = np.random.RandomState(0)
with tf.variable_scope("bert"):
    with tf.variable_scope("embeddings"):
        vectors = random.normal(0, 0.02, (TOKENS, WIDTH)).astype(np.float32)
        words = tf.get_variable("word_embeddings", initializer=vectors)
        x = tf.reshape(tf.gather(words, tf.reshape(ids, [-1])), [BATCH, LENGTH, WIDTH])
        types = tf.get_variable("token_type_embeddings", [2, WIDTH])
        x += tf.reshape(tf.matmul(tf.one_hot(tf.reshape(kinds, [-1]), 2), types), [BATCH, LENGTH, WIDTH])
        vectors = random.normal(0, 0.02, (LENGTH, WIDTH)).astype(np.float32)
        places = tf.get_variable("position_embeddings", initializer=vectors)
        x = layer_norm(x + tf.reshape(places, [1, LENGTH, WIDTH]))
        x = tf.reshape(tf.nn.dropout(x, 0.9), [BATCH * LENGTH, WIDTH])
    with tf.variable_scope("encoder"):
        for i in range(LAYERS):
            with tf.variable_scope("layer_%d" % i):
                with tf.variable_scope("attention"):
                    found = attention(x, mask)
                    with tf.variable_scope("output"):
                        x = layer_norm(tf.nn.dropout(dense(found, WIDTH, "dense"), 0.9) + x)
                with tf.variable_scope("intermediate"):
                    inner = dense(x, INNER, "dense", gelu)
                with tf.variable_scope("output"):
                    x = layer_norm(tf.nn.dropout(dense(inner, WIDTH, "dense"), 0.9) + x)
    with tf.variable_scope("pooler"):
        first = tf.reshape(x, [BATCH, LENGTH, WIDTH])[:, 0, :]
        pooled = dense(first, WIDTH, "dense", tf.tanh)
with tf.variable_scope("loss"):
    logits = dense(pooled, 2, "logits")
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
train = tf.train.AdamOptimizer(2e-5).minimize(loss)
saver = tf.train.Saver()
"""
