"""What tutorials use of scikit-learn around a network: splitting, scaling and figures of merit."""
