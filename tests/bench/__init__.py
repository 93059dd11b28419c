"""Benchmarks as ratios to a baseline measured in the same run: `make bench`."""
