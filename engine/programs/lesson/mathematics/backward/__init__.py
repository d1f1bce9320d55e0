"""The way back: what each operation receives and sends on, and the steps that tell it."""
