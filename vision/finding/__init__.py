"""Where cubes may be and which colour each may have: the rectified tray in, candidates out.

The detector looks at the whole floor, each further look only at single places. This package must not know the
ledger or the reasons to ask.
"""
