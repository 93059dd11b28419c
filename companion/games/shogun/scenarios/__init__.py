"""Scenarios as data: given, when, then; each is played and its result compared.

`python -m companion.games.shogun.scenarios FILE` reports every scenario of a file. The fields are
described in docs/rules/scenarios.md.
"""
