"""Mappers: poses and depth for frames that come without."""
