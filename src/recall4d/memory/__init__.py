"""Observations become entries: association, folding, and what is known at an instant."""
