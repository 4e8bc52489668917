"""Answers without a model: one function for each kind of ask."""
