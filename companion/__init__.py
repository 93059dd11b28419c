"""The table's memory: rules, tower ledger, event store, live session, web pages, command line.

Nothing is hidden from it, but its core (`games`, `tower`) is pure: no Flask, cv2, serial, sqlite or clock.
"""
