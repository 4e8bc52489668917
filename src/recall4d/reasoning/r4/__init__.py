"""The loop of R4: is memory needed at all; plan, retrieve, judge; again, until it is answered or cannot be."""
