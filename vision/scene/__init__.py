"""Where everything lies and how it is lit: from a picture to the tray's floor, flat and under white light.

Knows nothing of cubes.
"""
