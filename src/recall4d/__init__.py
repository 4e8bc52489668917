"""recall4d: a metric memory of what was where, when, and who saw it."""
