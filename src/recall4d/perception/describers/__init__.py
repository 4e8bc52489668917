"""Describers: from an instance to the words for it."""
