"""One module per `tenshu` command: `add_arguments(parser)`, `run(args) -> exit status`, one-line `HELP`.

Modules import heavy libraries inside `run`, so that `tenshu --help` answers at once.
"""
