"""Everything particular to one table, and how well a reader performs.

What lives here: printable `sheets`, `profiles` of tables, the weight of a cube; `measuring` a reader against
labelled pictures; pictures made by `synth`, `traced` and `rays`, and the `training` of networks on them
(`finding` the tray, `covering`).
What it must not know: games, web, serial.
"""
