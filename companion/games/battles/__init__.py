"""Battles at the cube tower without the rest of the game: who attacks whom, for what, with how many.

For tables that keep the board themselves and let Tenshu settle what falls out of the tower.
Rules: Shogun, section B.
"""
