"""Segmenters: from an image to instances with masks."""
