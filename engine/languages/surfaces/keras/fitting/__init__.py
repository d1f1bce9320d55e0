"""What stands around `fit`: callbacks, penalties, sequences made equally long."""
