"""Where everything lies, and in what light: one picture in, the tray's floor laid flat under white light out.

What it must not know: cubes.
"""
