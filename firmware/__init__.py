"""Both ends of the wire: the microcontroller's C code, the protocol, and the Python link.

What it must not know: games, web, vision.
"""
