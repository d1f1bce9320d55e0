"""Data sets without a download: two small real ones, stand-ins for large ones, and scikit-learn's makers."""
