"""The sensor process: camera and load cell in, reports out through a pipe.

A blocked camera read must never hold up a page, so all of it runs in a process of its own. It must not know
of game, web or store.
"""
