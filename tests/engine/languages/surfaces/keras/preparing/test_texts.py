"""Texts as numbers of words: the numbers of Keras 3.15's legacy Tokenizer and of TextVectorization."""

from __future__ import annotations

from engine.programs import ProgramRequest, run_program
from tests.engine.languages.surfaces.keras.test_fitting import printed, run

TEXTS = 'texts = ["The cat sat.", "The dog sat on the cat!", "A dog"]\n'


def test_the_tokenizer_numbers_words_by_how_often_they_stand() -> None:
    assert printed(
        TEXTS
        + """
t = tf.keras.preprocessing.text.Tokenizer(num_words=4, oov_token="?")
t.fit_on_texts(texts)
print(t.word_index)
print(t.texts_to_sequences(["the dog sat"]), t.sequences_to_texts([[2, 3, 9]]))
print(t.texts_to_matrix(["the the dog"], mode="count"), t.document_count)
"""
    ) == [
        "{'?': 1, 'the': 2, 'cat': 3, 'sat': 4, 'dog': 5, 'on': 6, 'a': 7}",
        "[[2, 1, 1]] ['the cat ?']",  # 4 and larger numbers are cut off
        "[[0. 1. 2. 0.]] 3",
    ]


def test_tf_idf_is_one_and_log_n_times_the_log_of_rarity() -> None:
    """(1 + log 1) log(1 + 2 / (1 + 1)) = log 2."""
    assert printed(
        """
t = tf.keras.preprocessing.text.Tokenizer()
t.fit_on_texts(["a b", "b"])
print(np.round(t.texts_to_matrix(["a"], mode="tfidf"), 4))
"""
    ) == ["[[0.     0.     0.6931]]"]


def test_vectorized_texts_are_rows_of_word_numbers() -> None:
    assert printed(
        TEXTS
        + """
v = L.TextVectorization(output_sequence_length=4)
v.adapt(texts)
print(v.get_vocabulary(), v(["the bird sat"]).numpy())
w = L.TextVectorization(output_mode="count", vocabulary=["cat", "dog"])
print(w(["a dog saw a cat, a cat"]).numpy())
"""
    ) == [
        "['', '[UNK]', 'the', 'sat', 'dog', 'cat', 'on', 'a'] [[2 1 3 0]]",
        "[[4 2 1]]",  # unknown: a, saw, a, a
    ]


def test_texts_before_adapt_are_refused() -> None:
    answer = run('L.TextVectorization()(["a"])')
    assert answer["diagnostics"][-1]["message"] == "TextVectorization has no words yet."


def test_words_are_numbered_by_their_hash() -> None:
    source = """import tensorflow as tf
from tensorflow.keras.preprocessing.text import one_hot, hashing_trick
print(hashing_trick("Nice food, very nice!", 30, hash_function="md5"))
a = one_hot("nice food nice", 30)
print(len(a), a[0] == a[2], all(0 < one < 30 for one in a))"""
    answer = run_program(ProgramRequest(source))
    assert answer["printed"] == ["[3, 10, 8, 3]", "3 True True"], answer["diagnostics"]
    assert "other_hashes" in [one["code"] for one in answer["diagnostics"]]
