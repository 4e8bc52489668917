"""Loops of retrieval and reasoning between a chat model and the memory."""
