"""Certain, or ask: cubes of which nothing shows, and the reasons that a person can do something about."""
