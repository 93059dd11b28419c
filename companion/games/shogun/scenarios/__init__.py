"""Scenarios as data: what is given, what is done, what follows; each is played and compared.

`python -m companion.games.shogun.scenarios FILE` reports every scenario of a file. Fields are those of
docs/rules/scenarios.md.
"""
