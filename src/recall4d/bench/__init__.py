"""Score a memory against truth: entries, questions. Others can score their own systems with the same code."""
