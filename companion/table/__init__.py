"""The live table: joins sensors and game, accepts or asks, keeps evidence.

`sensing` is the sensor process, `desks` the web process's side of it; `throw` what is made of its reports,
`past` what came of them; `people` who is at the table, `files` and `log` what is kept. `session` joins them.
"""
