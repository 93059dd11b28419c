"""The live table: joins sensors and game, accepts or asks, keeps evidence."""
