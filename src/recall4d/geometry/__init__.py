"""Poses, cameras, depth and boxes: numpy in, numpy out.

Conventions, everywhere in recall4d: metres, radians inside and degrees in JSON; world right-handed with Z up;
camera axes as in OpenCV (x right, y down, z forward); `b_from_a` takes coordinates in a to coordinates in b;
pixel centres at integer coordinates, so an image of width w spans -0.5 to w - 0.5.
"""
