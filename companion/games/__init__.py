"""Rules of games as pure functions: state and command in, events out.

What may not be here: input and output, clocks, threads, randomness that was not handed in.
"""
