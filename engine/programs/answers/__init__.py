"""A program that ran, as other answers: code, graph files, generated text, a comparison."""
