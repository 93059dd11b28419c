"""Shogun (Dirk Henn, Queen Games 2006): state, commands, events; rule ids in docs/rules/shogun.md."""
