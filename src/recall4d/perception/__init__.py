"""From an image to what is in it, and where: segmenters, describers, embedders, lift."""
