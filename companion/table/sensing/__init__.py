"""The sensor process: camera and load cell in, reports through a pipe out.

A blocked camera read must never hold up a page, so all of it runs in a process of its own. What it must
not know: game, web, store.
"""
