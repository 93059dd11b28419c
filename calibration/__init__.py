"""What is particular to one table, and how good a reader is.

What lives here: the printable mat, camera geometry, colour profile, load-cell scale; evaluation of a reader
against labelled pictures; synthetic pictures.
What it must not know: games, web, serial.
"""
