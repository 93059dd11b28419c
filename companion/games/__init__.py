"""Rules of games as pure functions: state and command in, events out.

This package must not contain I/O, clocks, threads or randomness that the caller did not pass in.
"""
