"""The live table: joins sensors and game, accepts readings or asks about them, keeps evidence.

`sensing` is the sensor process and `desks` the web process's side of it; `throw` judges its reports, `past`
is the record of what came of them; `people` is who sits at the table, `files` and `log` what is kept.
`session` joins them all.
"""
