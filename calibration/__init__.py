"""What is particular to one table, and how good a reader is.

What lives here: `sheets` to print, `profiles` of tables, a cube's weight; `measuring` of a reader against
labelled pictures; `synth`, `traced` and `rays` pictures, and the `training` of networks on them (`finding`
the tray, `covering`).
What it must not know: games, web, serial.
"""
