"""The companion: rules, tower ledger, event store, live session, web pages, command line.

It may import every other package, but its core (`games`, `tower`) is pure: no Flask, cv2, serial, sqlite or
clock.
"""
