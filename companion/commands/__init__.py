"""One module a command of `tenshu`: `add_arguments(parser)`, `run(args) -> exit status`, `HELP` in one line.

Modules import heavy libraries inside `run`, so that `tenshu --help` answers at once.
"""
