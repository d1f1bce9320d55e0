"""What `import torch` finds."""
