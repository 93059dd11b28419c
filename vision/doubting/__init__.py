"""Certain, or ask: cubes of which nothing tells, and the reasons that a person can do something about."""
