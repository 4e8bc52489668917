"""Forms of English words; see `recall4d.query.morphology`."""

from recall4d.query.morphology import inflections, is_plural, plural, singular

__all__ = ["inflections", "is_plural", "plural", "singular"]
