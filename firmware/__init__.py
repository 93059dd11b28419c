"""Both ends of the wire: the microcontroller's C code, the protocol, and the Python link.

This package must not know games, the web or vision.
"""
