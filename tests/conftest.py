"""One setting for all property tests: the same examples in every run, no limit of time on a busy machine."""

from hypothesis import settings

settings.register_profile("tenshu", derandomize=True, deadline=None)
settings.load_profile("tenshu")
