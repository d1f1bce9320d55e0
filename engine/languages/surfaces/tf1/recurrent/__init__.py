"""TensorFlow 1's recurrent cells, and a row of inputs taken through one turn by turn."""
