"""What brings data into shape before a network: numbers, pictures and texts."""
