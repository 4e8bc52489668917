"""Embedders: from words to unit vectors."""
