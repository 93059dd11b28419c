"""Where cubes may be and which colour each may have: the rectified tray in, candidates out.

The detector looks at the whole floor, each further look at places alone. What it must not know: the
ledger, reasons to ask.
"""
