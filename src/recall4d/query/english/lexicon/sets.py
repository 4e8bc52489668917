"""A set of words, written as one string."""


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())
